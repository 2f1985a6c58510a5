// Values as bytes for messages between ranks of one run: member by member, so that no padding is sent.
//
// Messages carry no names, because both ends are the same program. What another run shall read is written
// with state/archive.hpp.
#pragma once

#include <cstddef>
#include <cstring>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "base/error.hpp"
#include "base/members.hpp"

namespace crumple {

/// Where packed bytes are written: to the end of a message, or to memory with enough room.
struct AppendTo {
  std::vector<std::byte>& message;
  void operator()(const std::byte* from, std::size_t n) { message.insert(message.end(), from, from + n); }
};
struct CopyTo {
  std::byte* at;
  void operator()(const std::byte* from, std::size_t n) {
    if (n > 0) std::memcpy(at, from, n);
    at += n;
  }
};

/// Writes values one after the other.
template <class Sink>
class PackerTo {
 public:
  explicit PackerTo(Sink sink) : sink_(sink) {}
  static constexpr bool reading = false;

  /// Visitor of members.
  template <class T>
  void operator()(const char*, const T& value) {
    put(value);
  }

  template <class T>
  void put(const T& value) {
    if constexpr (is_without_padding<T>)
      bytes(&value, sizeof value);
    else
      members(*this, value);
  }
  template <class T, class Allocator>
  void put(const std::vector<T, Allocator>& items) {
    put(items.size());
    if constexpr (is_without_padding<T>)
      bytes(items.data(), items.size() * sizeof(T));
    else
      for (const T& item : items) put(item);
  }
  template <class T, std::size_t N>
  void put(const std::array<T, N>& items) {
    if constexpr (is_without_padding<T>)
      bytes(items.data(), sizeof items);
    else
      for (const T& item : items) put(item);
  }
  void put(const std::string& text) {
    put(text.size());
    bytes(text.data(), text.size());
  }
  template <class Key, class T>
  void put(const std::map<Key, T>& items) {
    put(items.size());
    for (const auto& [key, value] : items) put(key), put(value);
  }
  template <class First, class Second>
  void put(const std::pair<First, Second>& item) {
    put(item.first), put(item.second);
  }
  template <class T>
  void put(const std::optional<T>& item) {
    put(item.has_value());
    if (item) put(*item);
  }

  /// Copies memory without conversion.
  void bytes(const void* data, std::size_t n) { sink_(static_cast<const std::byte*>(data), n); }

 private:
  Sink sink_;
};

/// Appends values to a message.
class Packer : public PackerTo<AppendTo> {
 public:
  explicit Packer(std::vector<std::byte>& out) : PackerTo(AppendTo{out}) {}
};

/// Takes values out of a message in the order in which a Packer put them there. Throws Error CR-A004 where
/// the message ends too early.
class Unpacker {
 public:
  explicit Unpacker(std::span<const std::byte> in) : in_(in) {}
  static constexpr bool reading = true;

  bool at_end() const { return in_.empty(); }

  template <class T>
  void operator()(const char*, T& value) {
    take(value);
  }

  template <class T>
  T take() {
    T value{};
    take(value);
    return value;
  }
  template <class T>
  void take(T& value) {
    if constexpr (is_without_padding<T>)
      bytes(&value, sizeof value);
    else
      members(*this, value);
  }
  template <class T, class Allocator>
  void take(std::vector<T, Allocator>& items) {
    items.resize(count(is_without_padding<T> ? sizeof(T) : 1));
    if constexpr (is_without_padding<T>)
      bytes(items.data(), items.size() * sizeof(T));
    else
      for (T& item : items) take(item);
  }
  template <class T, std::size_t N>
  void take(std::array<T, N>& items) {
    if constexpr (is_without_padding<T>)
      bytes(items.data(), sizeof items);
    else
      for (T& item : items) take(item);
  }
  void take(std::string& text) {
    text.resize(count(1));
    bytes(text.data(), text.size());
  }
  template <class Key, class T>
  void take(std::map<Key, T>& items) {
    items.clear();
    for (std::size_t n = count(1); n > 0; --n) {
      Key key = take<Key>();
      take(items[std::move(key)]);
    }
  }
  template <class First, class Second>
  void take(std::pair<First, Second>& item) {
    take(item.first), take(item.second);
  }
  template <class T>
  void take(std::optional<T>& item) {
    item.reset();
    if (take<bool>()) take(item.emplace());
  }

  /// Number of items that follow, each of at least `least` bytes.
  std::size_t count(std::size_t least) {
    const auto n = take<std::size_t>();
    if (n > in_.size() / least) too_short();
    return n;
  }
  /// Copies memory without conversion.
  void bytes(void* data, std::size_t n) {
    if (n > in_.size()) too_short();
    if (n > 0) std::memcpy(data, in_.data(), n);
    in_ = in_.subspan(n);
  }

 private:
  [[noreturn]] static void too_short() {
    throw Error("CR-A004", "a message between ranks is shorter than what it holds", {}, Exit::system);
  }
  std::span<const std::byte> in_;
};

/// Any value with named members, as a message.
template <class T>
std::vector<std::byte> pack(const T& value) {
  std::vector<std::byte> bytes;
  Packer(bytes).put(value);
  return bytes;
}

/// A struct whose packed size is known, so that many of them lie one after the other.
template <class T>
concept FixedSize = (packed_size<T>() > 0);

/// Append one to a message of many.
template <FixedSize T>
void append(std::vector<std::byte>& message, const T& item) {
  const std::size_t at = message.size();
  message.resize(at + packed_size<T>());
  PackerTo(CopyTo{message.data() + at}).put(item);
}

/// A message of many.
template <FixedSize T>
std::vector<std::byte> pack_items(std::span<const T> items) {
  std::vector<std::byte> message(items.size() * packed_size<T>());
  PackerTo packer(CopyTo{message.data()});
  for (const T& item : items) packer.put(item);
  return message;
}

/// The items of a message of many. Throws Error CR-A004 if it ends within one.
template <FixedSize T>
std::vector<T> unpack_items(std::span<const std::byte> message) {
  if (message.size() % packed_size<T>() != 0)
    throw Error("CR-A004", "a message between ranks ends within an item", {}, Exit::system);
  std::vector<T> items(message.size() / packed_size<T>());
  Unpacker unpacker(message);
  for (T& item : items) unpacker.take(item);
  return items;
}

}  // namespace crumple
