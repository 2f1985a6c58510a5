// How a module names its state, for restart and for tests.
//
// A module has `void archive(state::Archive& archive)`, which offers each of its fields once, by name. The
// same function serves writing and reading: an implementation of Archive reads the memory or fills it. So
// there is one list, and the same fields are written and read.
//
//     void Walls::archive(state::Archive& archive) {
//       const auto here = archive.module("walls");
//       const std::vector<GlobalId> keys = state::numbered(walls_.size());
//       archive.structs("motion", state::Rows::equal(state::Of::entity, keys), std::span(moving_));
//       archive.field("energy", state::Rows::sums(state::Of::entity, keys, rank_), std::span(energy_));
//     }
//
// A field has rows, and each row a key (one or more integers) that does not depend on ranks: the row's place
// in the whole model. So a restart written on N ranks can be read on M:
//
// * node: the key is the node's position in the whole model (Subdomain::nodes.global()). Several ranks have
//   the row; its owner writes it, and all that have a copy read it.
// * element: the key is the element's position among those of its kind in the whole model (Model's `order`).
//   One rank has the row. Which elements share a group or a block depends on ranks, so a field of elements is
//   offered in pieces: the same name several times, with other rows.
// * entity: rigid bodies, walls, pairs in contact, deleted elements. The module chooses their keys: user ids,
//   or positions in the whole model.
// * global: one row with the key 0.
//
// For nodes and elements, keys are dense: the row with key k is row k of a file. For entities a file holds
// rows in ascending order of their keys.
//
// Rows that several ranks have are either equal, bit by bit (then any one is written), or parts of a sum of
// integers (ExactSum, fixed point). Then the sum is written. In reading, one rank gets the sum and the others
// zero, so that the next sum over ranks has the same bits.
//
// Where the number of rows changes in a run (`list`), a reader offers all keys that were written, and each
// rank takes the keys it needs, for example pairs of nodes that it owns.
//
// A name may be missing on some ranks (a rank without shells names no shells). Where it exists, type and
// width are the same. In reading, a missing name or row throws Error CR-A001 with the names of module and
// field. A stored name that no module has read is CR-A002 at the end.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/members.hpp"
#include "base/types.hpp"
#include "parallel/exact_sum.hpp"

namespace crumple::state {

/// What a row of a field belongs to.
enum class Of : std::int8_t { global, node, element, entity };
const char* name_of(Of of);

/// The type of one number of a row. Enums, flags and characters are bytes or integers of their size.
enum class Number : std::int8_t { float64, float32, int64, int32, int8 };
const char* name_of(Number number);
std::size_t bytes_of(Number number);

/// Which rows of a field this rank has.
struct Rows {
  Of of = Of::global;
  int key_width = 1;               ///< integers in a key
  std::span<const GlobalId> keys;  ///< `key_width` for each row
  /// Rank that writes each row; empty: see `everywhere` and `parts`.
  std::span<const int> owner;
  int rank = 0;             ///< this one
  bool everywhere = false;  ///< other ranks may have the same rows with the same bits
  bool parts = false;       ///< a row is the sum of the ranks' values

  std::size_t size() const { return keys.size() / static_cast<std::size_t>(key_width); }
  std::span<const GlobalId> key(std::size_t row) const {
    return keys.subspan(row * static_cast<std::size_t>(key_width), static_cast<std::size_t>(key_width));
  }
  /// Whether this rank writes the row or a part of it.
  bool writes(std::size_t row) const { return writes_all() || owner[row] == rank; }
  bool writes_all() const { return parts || owner.empty(); }
  /// Whether this rank gets the sum of a row of parts.
  bool gets_sum(std::size_t row) const { return owner.empty() ? rank == 0 : owner[row] == rank; }

  /// Rows of nodes: positions in the whole model, and owners.
  static Rows nodes(std::span<const GlobalId> position, std::span<const int> owner, int rank) {
    return {Of::node, 1, position, owner, rank};
  }
  /// Rows that no other rank has.
  static Rows own(Of of, std::span<const GlobalId> keys, int key_width = 1) { return {of, key_width, keys}; }
  /// Of things at nodes: the node's owner writes the row, and all that have a copy read it.
  static Rows owned(std::span<const GlobalId> keys, std::span<const int> owner, int rank, int key_width = 1) {
    return {Of::entity, key_width, keys, owner, rank};
  }
  /// Rows that other ranks may have, too, with the same bits.
  static Rows equal(Of of, std::span<const GlobalId> keys, int key_width = 1) {
    return {of, key_width, keys, {}, 0, true};
  }
  /// Parts of sums of integers. Rank 0, which must have all rows that any rank has, gets the sums.
  static Rows sums(Of of, std::span<const GlobalId> keys, int rank, int key_width = 1) {
    return {of, key_width, keys, {}, rank, false, true};
  }
};

/// Keys 0, 1, ..., n - 1.
std::vector<GlobalId> numbered(std::size_t n);
/// Keys that may repeat, each with one more integer: how many rows before it have the same. All rows of a key
/// must be on the same ranks, in the same order.
std::vector<GlobalId> numbered_among_equals(std::span<const GlobalId> keys, int key_width);

/// Where numbers of a field are in memory: number k of row r at first + (r / lanes) * block + (r % lanes) *
/// row + k * number bytes.
struct Memory {
  std::byte* first = nullptr;
  std::size_t row = 0;     ///< bytes from one row to the next
  std::size_t number = 0;  ///< bytes from one number of a row to the next
  std::size_t lanes = 1;   ///< rows that lie side by side
  std::size_t block = 0;   ///< bytes from one bundle of `lanes` rows to the next; with 1 lane, `row`

  std::byte* at(std::size_t r, std::size_t k) const {
    return first + (r / lanes) * block + (r % lanes) * row + k * number;
  }
};

/// One named array.
struct Field {
  std::string name;  ///< with its modules: "contact/nodes/work/total"
  Rows rows;
  Number number = Number::float64;
  int width = 1;  ///< numbers a row
  Memory memory;

  std::string module() const { return name.substr(0, name.find('/')); }
  std::size_t row_bytes() const { return static_cast<std::size_t>(width) * bytes_of(number); }
  /// A row, packed.
  void read(std::size_t row, std::byte* to) const { read(row, 1, to); }
  /// Rows one after the other, packed.
  void read(std::size_t first, std::size_t count, std::byte* to) const;
  /// Whether packed rows are what is in memory.
  bool is_packed() const {
    return memory.lanes == 1 && memory.row == row_bytes() && memory.number == bytes_of(number);
  }
  void write(std::size_t row, const std::byte* from) const;
};

/// The memory of a T as a number of plain numbers. Vec3, arrays and sums are supported; enums are integers.
template <class T>
struct Numbers {
  static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>,
                "not a number, nor a struct with named members");
  static constexpr int width = 1;
  static constexpr Number number = std::is_floating_point_v<T>
                                       ? (sizeof(T) == 8 ? Number::float64 : Number::float32)
                                   : sizeof(T) == 8 ? Number::int64
                                   : sizeof(T) == 4 ? Number::int32
                                                    : Number::int8;
  static_assert(sizeof(T) == (number == Number::int8                                 ? 1
                              : number == Number::int32 || number == Number::float32 ? 4
                                                                                     : 8));
};
template <>
struct Numbers<Vec3> {
  static constexpr int width = 3;
  static constexpr Number number = Number::float64;
};
template <class T, std::size_t N>
struct Numbers<std::array<T, N>> {
  static constexpr int width = static_cast<int>(N) * Numbers<T>::width;
  static constexpr Number number = Numbers<T>::number;
};
template <>
struct Numbers<parallel::ExactSum> {
  static constexpr int width = static_cast<int>(sizeof(parallel::ExactSum) / sizeof(std::int64_t));
  static constexpr Number number = Number::int64;
};

/// Whether a T is one field (not a struct whose members are fields).
template <class T>
inline constexpr bool is_one_field = std::is_same_v<T, Vec3> || !HasMembers<T>;
template <class T, std::size_t N>
inline constexpr bool is_one_field<std::array<T, N>> = is_one_field<T>;

class Archive {
 public:
  /// Whether a rank needs a row of a list.
  using Wants = std::function<bool(std::span<const GlobalId> key)>;

  virtual ~Archive() = default;
  virtual bool reading() const = 0;

  /// While it lives, all names are in this module, or in this part of a module.
  class [[nodiscard]] Module {
   public:
    Module(Archive& archive, std::string_view name) : archive_(archive), before_(archive.prefix_.size()) {
      archive.prefix_.append(name).append("/");
    }
    ~Module() { archive_.prefix_.resize(before_); }
    Module(const Module&) = delete;
    Module& operator=(const Module&) = delete;

   private:
    Archive& archive_;
    std::size_t before_;
  };
  Module module(std::string_view name) { return {*this, name}; }

  /// `each` items of T per row: numbers, Vec3, arrays of these, ExactSum (`rows` of parts), or structs with
  /// named members. Each member is a field of its own ("name/member").
  template <class T>
  void field(std::string_view name, const Rows& rows, std::span<T> values, int each = 1) {
    if constexpr (is_one_field<T>) {
      const std::size_t number = bytes_of(Numbers<T>::number),
                        row = static_cast<std::size_t>(each) * sizeof(T);
      for (T& value : values) settle(value);
      visit({prefix_ + std::string(name),
             rows,
             Numbers<T>::number,
             each * Numbers<T>::width,
             {reinterpret_cast<std::byte*>(values.data()), row, number, 1, row}});
    } else {
      structs(name, rows, values);
    }
  }
  /// Structs with named members, one per row.
  template <class T>
  void structs(std::string_view name, const Rows& rows, std::span<T> values) {
    T blank{};
    T* const first = values.empty() ? &blank : values.data();
    for (T& value : values) settle(value);
    const auto here = module(name);
    members([&](const char* of, auto& member) { strided(of, rows, member, sizeof(T)); }, *first);
  }
  /// One member of each struct.
  template <class T, class Base, class Member>
  requires std::derived_from<T, Base>
  void member(std::string_view name, const Rows& rows, std::span<T> values, Member Base::*of) {
    Member blank{};
    for (T& value : values) settle(value.*of);
    strided(std::string(name).c_str(), rows, values.empty() ? blank : values.front().*of, sizeof(T));
  }
  /// One value that is the same on every rank.
  template <class T>
  void global(std::string_view name, T& value) {
    static constexpr std::array<GlobalId, 1> key{0};
    field(name, Rows::equal(Of::global, key), std::span<T>(&value, 1));
  }
  /// One sum of integers; every rank has a part.
  template <class T>
  void global_sum(std::string_view name, T& value, int rank) {
    static constexpr std::array<GlobalId, 1> key{0};
    field(name, Rows::sums(Of::global, key, rank), std::span<T>(&value, 1));
  }
  /// Numbers in bundles of lanes, as those of elements.
  template <class T>
  void lanes(std::string_view name, const Rows& rows, std::span<T> values, int width, std::size_t lanes) {
    static_assert(std::is_arithmetic_v<T>);
    const auto w = static_cast<std::size_t>(width);
    visit({prefix_ + std::string(name),
           rows,
           Numbers<T>::number,
           width,
           {reinterpret_cast<std::byte*>(values.data()), sizeof(T), lanes * sizeof(T), lanes,
            w * lanes * sizeof(T)}});
  }

  /// Rows whose number changes in a run. Writing: `keys` are this rank's. Reading: `keys` become the written
  /// keys that this rank needs, ascending. The module then resizes its arrays and offers the fields of these
  /// rows.
  void list(std::string_view name, std::vector<GlobalId>& keys, int key_width, const Wants& wants) {
    visit_list(prefix_ + std::string(name), keys, key_width, wants);
  }

 protected:
  virtual void visit(const Field& field) = 0;
  virtual void visit_list(const std::string& name, std::vector<GlobalId>& keys, int key_width,
                          const Wants& wants) = 0;

 private:
  /// Sums are brought to the form in which parts of them can be added.
  template <class T>
  static void settle(T& value) {
    if constexpr (std::is_same_v<T, parallel::ExactSum>)
      value.carry();
    else if constexpr (is_std_array<T>)
      for (auto& item : value) settle(item);
    else if constexpr (HasMembers<T>)
      members([](const char*, auto& member) { settle(member); }, value);
  }

  /// A member of the first of many structs.
  template <class T>
  void strided(const char* name, const Rows& rows, T& member, std::size_t stride) {
    if constexpr (is_one_field<T>) {
      visit({prefix_ + name,
             rows,
             Numbers<T>::number,
             Numbers<T>::width,
             {reinterpret_cast<std::byte*>(&member), stride, bytes_of(Numbers<T>::number), 1, stride}});
    } else {
      const auto here = module(name);
      if constexpr (is_std_array<T>)
        for (std::size_t k = 0; k < member.size(); ++k)
          strided(std::to_string(k).c_str(), rows, member[k], stride);
      else
        members([&](const char* of, auto& inner) { strided(of, rows, inner, stride); }, member);
    }
  }

  std::string prefix_;
};

}  // namespace crumple::state
