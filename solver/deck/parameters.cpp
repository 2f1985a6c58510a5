// Named values that fields refer to as &name.
#include "deck/parameters.hpp"

#include <fmt/format.h>

#include <cctype>
#include <cmath>

#include "base/error.hpp"
#include "deck/expression.hpp"
#include "deck/lexer.hpp"
#include "deck/numbers.hpp"

namespace crumple::deck {
namespace {

bool is_name(std::string_view text) {
  if (text.empty() || !std::isalpha(static_cast<unsigned char>(text[0]))) return false;
  for (const char c : text)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != ' ') return false;
  return true;
}

// "R  TERM", "rterm" -> type and name.
Definition split_name(std::string_view field, std::string_view value) {
  const std::string name = upper(trim(field));
  Definition out{0, name, std::string(trim(value))};
  if (!name.empty() && std::string_view("RIC").find(name[0]) != std::string_view::npos) {
    out.type = name[0];
    out.name = std::string(trim(std::string_view(name).substr(1)));
  }
  return out;
}

bool same(const ParameterValue& a, const ParameterValue& b) {
  return a.type == b.type && a.text == b.text && a.number == b.number;
}

}  // namespace

const ParameterValue* Parameters::find(std::string_view name) const {
  const std::string key = upper(name);
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
    if (const auto it = scope->find(key); it != scope->end()) return &it->second;
  return nullptr;
}

Parameters::Outcome Parameters::define(std::string_view name, ParameterValue value, bool local,
                                       bool is_mutable) {
  auto& scope = local ? scopes_.back() : scopes_.front();
  const std::string key = upper(name);
  const auto [it, added] = scope.try_emplace(key, value);
  if (added) {
    if (is_mutable) mutable_[key] = true;
    return Outcome::defined;
  }
  if (same(it->second, value)) return Outcome::same;
  if (mutable_.contains(key) || duplication_ == Duplication::replace) {
    it->second = std::move(value);
    return Outcome::same;
  }
  if (duplication_ == Duplication::keep) return Outcome::same;
  if (duplication_ == Duplication::refuse) return Outcome::refused;
  if (duplication_ == Duplication::warn_keep) return Outcome::kept;
  it->second = std::move(value);
  return Outcome::replaced;
}

double Parameters::evaluate(std::string_view text) const {
  const Expression expression(text);
  std::vector<double> values;
  for (const std::string& name : expression.names()) {
    const ParameterValue* const value = find(name);
    if (!value) throw Error("CR-D011", fmt::format("parameter {} is not defined", name));
    if (value->type == 'C') throw Error("CR-D013", fmt::format("parameter {} is a text", name));
    values.push_back(value->number);
  }
  const double result = expression.evaluate([&](std::size_t i) { return values[i]; });
  if (!std::isfinite(result))
    throw Error("CR-D013", fmt::format("expression '{}' has no finite value", text));
  return result;
}

Reference parse_reference(std::string_view field) {
  Reference out;
  if (field.starts_with('-') || field.starts_with('+')) {
    out.negative = field[0] == '-';
    field = trim(field.substr(1));
  }
  if (!field.starts_with('&')) return {};
  field = trim(field.substr(1));
  if (field.starts_with('-')) {
    out.negative = !out.negative;
    field.remove_prefix(1);
  }
  out.name = trim(field);
  return out;
}

bool may_be_named(std::string_view name) {
  return !name.empty() && name.find_first_of(" +*/^()=<>,&|!'\"") == std::string_view::npos;
}

bool is_parameter_keyword(std::string_view name) {
  if (name == "PARAMETER_DUPLICATION") return true;
  if (!name.starts_with("PARAMETER")) return false;
  const auto drop = [&](std::string_view option) {
    const bool found = name.starts_with(option);
    if (found) name.remove_prefix(option.size());
    return found;
  };
  drop("PARAMETER");
  drop("_EXPRESSION");
  while (drop("_LOCAL") || drop("_MUTABLE") || drop("_NOECHO")) {
  }
  return name.empty();
}

std::vector<Definition> cut_definitions(std::string_view line, int width, std::string_view& rest) {
  std::vector<std::string_view> pieces;
  constexpr int kFields = 8;
  if (is_free_format(line, kFields * static_cast<std::size_t>(width)))
    cut_free(line, kFields, false, pieces, rest);
  else
    cut_fixed(line, std::vector<int>(kFields, width), false, pieces, rest);
  std::vector<Definition> out;
  for (std::size_t i = 0; i < pieces.size(); i += 2) {
    const std::string_view value = i + 1 < pieces.size() ? pieces[i + 1] : std::string_view{};
    if (!pieces[i].empty() || !value.empty()) out.push_back(split_name(pieces[i], value));
  }
  return out;
}

Definition cut_expression_definition(std::string_view line, int width) {
  const auto n = std::min(static_cast<std::size_t>(width), line.size());
  if (trim(line.substr(0, n)).empty()) return {0, {}, std::string(trim(line.substr(n)))};
  const std::size_t comma = line.find(',');
  if (comma != std::string_view::npos && is_name(trim(line.substr(0, comma))))
    return split_name(line.substr(0, comma), line.substr(comma + 1));
  return split_name(line.substr(0, n), line.substr(n));
}

}  // namespace crumple::deck
