// Reads belts and their devices from a deck.
#pragma once

#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "loads/belts/belt.hpp"
#include "loads/belts/shell_rows.hpp"
#include "model/builder.hpp"
#include "sensors/network.hpp"

namespace crumple::loads {

class BeltReader {
 public:
  explicit BeltReader(model::Builder& build) : build_(build) {}
  void read();

 private:
  using Keyword = model::Keyword;
  using Record = model::Record;
  using Numbers = std::map<GlobalId, std::int32_t>;

  static std::string label(const Keyword& k, GlobalId id) {
    return fmt::format("{} {}", model::Builder::star(k), id);
  }
  template <class Read>
  void each(const char* keyword, Read read) {
    for (const Keyword& k : build_.deck.all(keyword))
      for (const Record& r : k.records()) read(k, r);
  }

  // parts, elements, masses
  void read_parts();
  void read_material(const Keyword& k, const Record& r, Numbers& numbers);
  void check_rises(LocalId curve, const std::string& by, const Record& r);
  std::int64_t node(GlobalId id, const std::string& by, const Place& place);
  Vec3 position(std::int64_t node) const;
  void read_elements();
  void settle_nodes();
  void add_masses();

  // belts of shells
  struct Quad {
    GlobalId id = 0, part = 0, retractor = 0;
    double slack = 0;
    LocalId shell = model::kNone;  ///< in the model; none inside a retractor
    Place place;
  };
  void read_shells();
  bool read_quads(std::vector<ShellRows::Corners>& corners);
  bool follow_rows();
  void add_rows();
  void make_fabrics();
  void make_fabric(GlobalId part, const ShellRows::Belt& belt, std::map<LocalId, double>& areas);
  void tell_fabric(const Quad& quad);
  /// A device of a row: its node, and the elements that it takes, one of each of some sets of shells.
  struct RowEnd {
    std::int64_t node = 0;
    std::vector<std::int32_t> elements;
  };
  std::vector<RowEnd> row_ends(const Record& r, const std::string& by, std::span<const char* const> fields);
  bool put_at_ends(const std::vector<std::int32_t>& elements, std::vector<RowEnd>& ends) const;

  // devices
  void refuse_devices_alone();
  void number_devices();
  std::int32_t find(const Numbers& numbers, GlobalId id, const char* what, const std::string& by,
                    const Place& place);
  std::vector<std::int32_t> sensors_of(const Record& r, std::span<const char* const> fields,
                                       const std::string& by, sensors::Controlled kind, GlobalId id);
  bool is_switched(sensors::Controlled kind, GlobalId id) const;
  void read_sensors();
  void read_limits(const Record& r, const std::string& by, BeltSensor& s);
  std::int32_t device_element(GlobalId id, const std::string& by, const Place& place);
  void check_device_element(std::int32_t element, const std::string& by, const Place& place);
  std::vector<RowEnd> ends(const Record& r, const std::string& by, std::span<const char* const> fields);
  void read_retractors();
  void read_retractor(const Keyword& k, const Record& r);
  void wind_up(Retractor& in, std::int32_t number, const std::string& by, const Record& r);
  void report_unwound();
  void read_pretensioners();
  void read_rings();

  model::Builder& build_;
  Belts out_;
  std::map<GlobalId, std::int32_t> part_, shell_part_;  ///< material of each part of belts
  std::map<GlobalId, GlobalId> in_retractor_;           ///< retractors of elements with two nodes
  std::map<LocalId, std::int64_t> node_;
  Numbers element_, sensor_;
  Numbers retractor_, rows_of_;  ///< the first of a retractor's rows, and how many it has
  std::vector<Quad> quads_;
  ShellRows rows_{std::vector<ShellRows::Corners>{}};
  std::map<LocalId, std::int32_t> quad_of_;            ///< of shells of the model
  std::vector<std::int32_t> element_of_;               ///< of sides of `rows_`
  std::map<std::int32_t, GlobalId> row_in_retractor_;  ///< retractors of elements of rows
  bool lost_ = false;                                  ///< something does not exist
};

}  // namespace crumple::loads
