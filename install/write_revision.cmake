# Writes OUT, a file with the commit that is checked out in SOURCE; an empty one if SOURCE is no checkout.
set(revision "")
if(EXISTS ${SOURCE}/.git)
  foreach(variable GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE)  # of a hook that installs
    unset(ENV{${variable}})
  endforeach()
  execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --exclude=* --abbrev=12
                  OUTPUT_VARIABLE revision OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
file(WRITE ${OUT} "${revision}\n")
