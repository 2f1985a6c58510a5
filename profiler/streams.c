// C streams: calls of the program, with the bytes that it asks for. The C library's own reads and writes for
// them are not seen. Streams of C++ and of Fortran are not these: files.c sees their calls.
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io_table.h"
#include "next.h"

#define EXPORT __attribute__((visibility("default")))

// Not in headers: what the compiler makes of calls whose buffers' sizes it knows, and of ISO C's scanf.
extern size_t __fread_chk(void*, size_t, size_t, size_t, FILE*);
extern size_t __fread_unlocked_chk(void*, size_t, size_t, size_t, FILE*);
extern char* __fgets_chk(char*, size_t, int, FILE*);
extern char* __fgets_unlocked_chk(char*, size_t, int, FILE*);
extern int __vfprintf_chk(FILE*, int, const char*, va_list);
extern int __vprintf_chk(int, const char*, va_list);
extern int _IO_getc(FILE*);
extern int _IO_putc(int, FILE*);
extern ssize_t __getdelim(char**, size_t*, int, FILE*);
extern int plain_fscanf(FILE*, const char*, ...) __asm__("fscanf");
extern int plain_vfscanf(FILE*, const char*, va_list) __asm__("vfscanf");
extern int iso_fscanf(FILE*, const char*, ...) __asm__("__isoc99_fscanf");
extern int iso_vfscanf(FILE*, const char*, va_list) __asm__("__isoc99_vfscanf");
extern int iso23_fscanf(FILE*, const char*, ...) __asm__("__isoc23_fscanf");
extern int iso23_vfscanf(FILE*, const char*, va_list) __asm__("__isoc23_vfscanf");

static bool begins(IoCall* call, FILE* stream) {
  return recording() && stream && begin_io(call, fileno_unlocked(stream), kStdio);
}

#define WRAP(result, name, parameters, arguments, kind, bytes) \
  EXPORT result(name) parameters {                             \
    NEXT(name);                                                \
    IoCall call;                                               \
    if (!begins(&call, stream)) return next arguments;         \
    result const done = next arguments;                        \
    end_io(&call, kind, (int64_t)(bytes));                     \
    return done;                                               \
  }

WRAP(size_t, fread, (void* to, size_t size, size_t n, FILE* stream), (to, size, n, stream), kReads,
     done* size)
WRAP(size_t, fread_unlocked, (void* to, size_t size, size_t n, FILE* stream), (to, size, n, stream), kReads,
     done* size)
WRAP(size_t, __fread_chk, (void* to, size_t room, size_t size, size_t n, FILE* stream),
     (to, room, size, n, stream), kReads, done* size)
WRAP(size_t, __fread_unlocked_chk, (void* to, size_t room, size_t size, size_t n, FILE* stream),
     (to, room, size, n, stream), kReads, done* size)
WRAP(char*, fgets, (char* to, int n, FILE* stream), (to, n, stream), kReads, done ? strlen(done) : 0)
WRAP(char*, fgets_unlocked, (char* to, int n, FILE* stream), (to, n, stream), kReads, done ? strlen(done) : 0)
WRAP(char*, __fgets_chk, (char* to, size_t room, int n, FILE* stream), (to, room, n, stream), kReads,
     done ? strlen(done) : 0)
WRAP(char*, __fgets_unlocked_chk, (char* to, size_t room, int n, FILE* stream), (to, room, n, stream), kReads,
     done ? strlen(done) : 0)
WRAP(int, fgetc, (FILE * stream), (stream), kReads, done != EOF)
WRAP(int, getc, (FILE * stream), (stream), kReads, done != EOF)
WRAP(int, _IO_getc, (FILE * stream), (stream), kReads, done != EOF)
WRAP(ssize_t, getline, (char** to, size_t* n, FILE* stream), (to, n, stream), kReads, done)
WRAP(ssize_t, getdelim, (char** to, size_t* n, int end, FILE* stream), (to, n, end, stream), kReads, done)
WRAP(ssize_t, __getdelim, (char** to, size_t* n, int end, FILE* stream), (to, n, end, stream), kReads, done)

WRAP(size_t, fwrite, (const void* from, size_t size, size_t n, FILE* stream), (from, size, n, stream),
     kWrites, done* size)
WRAP(size_t, fwrite_unlocked, (const void* from, size_t size, size_t n, FILE* stream),
     (from, size, n, stream), kWrites, done* size)
WRAP(int, fputs, (const char* text, FILE* stream), (text, stream), kWrites, done < 0 ? 0 : strlen(text))
WRAP(int, fputs_unlocked, (const char* text, FILE* stream), (text, stream), kWrites,
     done < 0 ? 0 : strlen(text))
WRAP(int, fputc, (int c, FILE* stream), (c, stream), kWrites, done != EOF)
WRAP(int, putc, (int c, FILE* stream), (c, stream), kWrites, done != EOF)
WRAP(int, _IO_putc, (int c, FILE* stream), (c, stream), kWrites, done != EOF)
WRAP(int, vfprintf, (FILE * stream, const char* format, va_list list), (stream, format, list), kWrites, done)
WRAP(int, __vfprintf_chk, (FILE * stream, int flag, const char* format, va_list list),
     (stream, flag, format, list), kWrites, done)

/// How much was read is known from the place in the file only.
#define SCAN(name, symbol)                                                     \
  EXPORT int name(FILE* stream, const char* format, va_list list) {            \
    static __typeof__(&name) next;                                             \
    if (!next) *(void**)&next = next_of(symbol);                               \
    IoCall call;                                                               \
    if (!begins(&call, stream)) return next(stream, format, list);             \
    const off_t before = ftello(stream);                                       \
    const int done = next(stream, format, list);                               \
    const off_t after = ftello(stream);                                        \
    end_io(&call, kReads, before >= 0 && after > before ? after - before : 0); \
    return done;                                                               \
  }
SCAN(plain_vfscanf, "vfscanf")
SCAN(iso_vfscanf, "__isoc99_vfscanf")
SCAN(iso23_vfscanf, "__isoc23_vfscanf")

#define WITH_LIST(name, list_name, parameters, ...) \
  EXPORT int name parameters {                      \
    va_list list;                                   \
    va_start(list, format);                         \
    const int done = list_name(__VA_ARGS__, list);  \
    va_end(list);                                   \
    return done;                                    \
  }

WITH_LIST(plain_fscanf, plain_vfscanf, (FILE * stream, const char* format, ...), stream, format)
WITH_LIST(iso_fscanf, iso_vfscanf, (FILE * stream, const char* format, ...), stream, format)
WITH_LIST(iso23_fscanf, iso23_vfscanf, (FILE * stream, const char* format, ...), stream, format)
WITH_LIST(fprintf, vfprintf, (FILE * stream, const char* format, ...), stream, format)
WITH_LIST(__fprintf_chk, __vfprintf_chk, (FILE * stream, int flag, const char* format, ...), stream, flag,
          format)

// ---- standard output, which may be a file -------------------------------------------------------

#define WRAP_OUT(name, parameters, arguments, bytes)         \
  EXPORT int name parameters {                               \
    NEXT(name);                                              \
    IoCall call;                                             \
    if (!begins(&call, stdout)) return next arguments;       \
    const int done = next arguments;                         \
    end_io(&call, kWrites, done < 0 ? 0 : (int64_t)(bytes)); \
    return done;                                             \
  }

WRAP_OUT(vprintf, (const char* format, va_list list), (format, list), done)
WRAP_OUT(__vprintf_chk, (int flag, const char* format, va_list list), (flag, format, list), done)
WRAP_OUT(puts, (const char* text), (text), strlen(text) + 1)
WRAP_OUT(putchar, (int c), (c), 1)
WITH_LIST(printf, vprintf, (const char* format, ...), format)
WITH_LIST(__printf_chk, __vprintf_chk, (int flag, const char* format, ...), flag, format)

// ---- open, flush, close -------------------------------------------------------------------------

static FILE* opened(IoCall* call, bool recorded, FILE* stream) {
  const int file = stream ? fileno(stream) : -1;
  forget_descriptor(file);
  if (recorded) end_open(call, file);
  return stream;
}

#define WRAP_OPEN(name, parameters, arguments)       \
  EXPORT FILE* name parameters {                     \
    NEXT(name);                                      \
    IoCall call;                                     \
    const bool recorded = begin_open(&call, kStdio); \
    return opened(&call, recorded, next arguments);  \
  }
WRAP_OPEN(fopen, (const char* path, const char* mode), (path, mode))
WRAP_OPEN(fopen64, (const char* path, const char* mode), (path, mode))

#define WRAP_REOPEN(name)                                               \
  EXPORT FILE* name(const char* path, const char* mode, FILE* stream) { \
    NEXT(name);                                                         \
    forget_descriptor(fileno(stream));                                  \
    IoCall call;                                                        \
    const bool recorded = begin_open(&call, kStdio);                    \
    return opened(&call, recorded, next(path, mode, stream));           \
  }
WRAP_REOPEN(freopen)
WRAP_REOPEN(freopen64)

WRAP(int, fflush, (FILE * stream), (stream), kSyncs, 0)
WRAP(int, fflush_unlocked, (FILE * stream), (stream), kSyncs, 0)

EXPORT int fclose(FILE* stream) {
  NEXT(fclose);
  IoCall call;
  const int file = fileno_unlocked(stream);
  const bool recorded = begins(&call, stream);
  forget_descriptor(file);
  const int done = next(stream);
  if (recorded) end_io(&call, kCloses, 0);
  return done;
}
