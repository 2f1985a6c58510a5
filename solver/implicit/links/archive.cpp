// What links keep from step to step, by name. They are made in a fixed order from the model.
#include "state/archive.hpp"

#include "implicit/links/joint_links.hpp"
#include "implicit/links/joint_moments.hpp"
#include "implicit/links/tie_links.hpp"
#include "implicit/links/wall_links.hpp"

namespace crumple::implicit {

namespace {

using state::Of;
using state::Rows;

struct SavedSpring {
  std::int32_t alive = 1;
  Vec3 turned, force;
  double energy = 0, stored = 0;
};
CRUMPLE_MEMBERS(SavedSpring, alive, turned, force, energy, stored)

struct SavedTracked {
  std::int32_t in_front = 1;
  double taken_out = 0;
  Vec3 stretched, force;
};
CRUMPLE_MEMBERS(SavedTracked, in_front, taken_out, stretched, force)

template <class T>
void archive_structs(state::Archive& archive, const char* name, std::vector<T>& rows) {
  const std::vector<GlobalId> keys = state::numbered(rows.size());
  archive.structs(name, Rows::own(Of::entity, keys), std::span(rows));
}

}  // namespace

void JointLinks::archive(state::Archive& archive) {
  const auto here = archive.module("joint links");
  archive_structs(archive, "orientation", orientation_);
  archive_structs(archive, "state", states_);
  if (!phased_) return;
  const std::vector<GlobalId> links = state::numbered(links_.size()),
                              joints = state::numbered(states_.size());
  archive.member("start", Rows::own(Of::entity, links), std::span(links_), &Link::start);
  archive.field("energy before", Rows::own(Of::entity, joints), std::span(energy_before_));
}

void JointMoments::archive(state::Archive& archive) {
  const auto here = archive.module("joint moments");
  archive_structs(archive, "orientation", orientation_);
  archive_structs(archive, "state", states_);
  std::vector<Vec3> friction;
  for (const auto& of : friction_) friction.push_back({of[0], of[1], of[2]});
  const std::vector<GlobalId> keys = state::numbered(friction.size());
  archive.field("friction", Rows::own(Of::entity, keys), std::span(friction));
  for (std::size_t k = 0; k < friction.size(); ++k)
    friction_[k] = {friction[k].x, friction[k].y, friction[k].z};
}

void TieLinks::archive(state::Archive& archive) {
  const auto here = archive.module("tie links");
  std::vector<SavedSpring> rows;
  for (const Spring& s : springs_) rows.push_back({s.alive ? 1 : 0, s.turned, s.force, s.energy, s.stored});
  archive_structs(archive, "spring", rows);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const SavedSpring& from = rows[k];
    Spring& to = springs_[k];
    to.alive = from.alive != 0;
    to.turned = from.turned;
    to.force = from.force;
    to.energy = from.energy;
    to.stored = from.stored;
  }
  if (!phased_) return;
  for (Spring& s : springs_) s.start.weight = s.tie.weight, s.start.height = s.height;
  const std::vector<GlobalId> keys = state::numbered(springs_.size());
  archive.member("start", Rows::own(Of::entity, keys), std::span(springs_), &Spring::start);
  for (Spring& s : springs_) s.tie.weight = s.start.weight, s.height = s.start.height;
}

void WallLinks::archive(state::Archive& archive) {
  const auto here = archive.module("wall links");
  archive_structs(archive, "wall", states_);
  std::vector<SavedTracked> rows;
  for (const Tracked& t : tracked_) rows.push_back({t.in_front ? 1 : 0, t.taken_out, t.stretched, t.force});
  archive_structs(archive, "node", rows);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const SavedTracked& from = rows[k];
    Tracked& to = tracked_[k];
    to.in_front = from.in_front != 0;
    to.taken_out = from.taken_out;
    to.stretched = from.stretched;
    to.force = from.force;
  }
}

}  // namespace crumple::implicit
