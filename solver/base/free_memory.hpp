// The memory that processes of this machine may still take.
#pragma once

#include <optional>
#include <string>

namespace crumple {

/// Bytes that can be taken without swapping: what the system has left, or what the limit of a control group
/// leaves (as those of batch jobs and containers), whichever is less. Files that the system keeps in memory
/// count as left. Infinity where neither can be found out.
double available_memory();

/// What a control group and those above it leave; empty if none has a limit.
/// @param root where the file system of control groups is
/// @param path of the group, from the root
/// @param version_1 of control groups, whose files have other names than those of version 2
std::optional<double> left_in_group(const std::string& root, std::string path, bool version_1);

}  // namespace crumple
