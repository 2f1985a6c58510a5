// *PARAMETER and *PARAMETER_EXPRESSION: named values that fields refer to as &name.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace crumple::deck {

/// A parameter's value: the text of a C parameter, else a number.
struct ParameterValue {
  char type = 'R';  ///< R, I or C
  double number = 0.0;
  std::string text;
};

/// Treatment of a name that is defined again (DFLAG of *PARAMETER_DUPLICATION).
enum class Duplication { warn_keep = 1, warn_replace = 2, refuse = 3, replace = 4, keep = 5 };

/// Parameters in scope. *PARAMETER defines for the whole deck, *PARAMETER_LOCAL for its file and the files
/// included there. Names are not case sensitive.
class Parameters {
 public:
  Parameters() : scopes_(1) {}

  void enter_file() { scopes_.emplace_back(); }
  void leave_file() { scopes_.pop_back(); }

  /// Innermost definition, or null.
  const ParameterValue* find(std::string_view name) const;
  /// Outcome of a definition, for the message.
  enum class Outcome { defined, same, kept, replaced, refused };
  Outcome define(std::string_view name, ParameterValue value, bool local, bool is_mutable);

  /// Value of an expression. Throws Error CR-D011 (unknown parameter) or CR-D013 (not an expression).
  double evaluate(std::string_view expression) const;

  void set_duplication(Duplication d) { duplication_ = d; }
  Duplication duplication() const { return duplication_; }

 private:
  std::vector<std::map<std::string, ParameterValue, std::less<>>> scopes_;
  std::map<std::string, bool, std::less<>> mutable_;
  Duplication duplication_ = Duplication::warn_keep;
};

/// Reference in a field: `&name`, `-&name`, `&-name`. Empty name: the field is not a reference.
struct Reference {
  std::string_view name;
  bool negative = false;
};
Reference parse_reference(std::string_view field);

/// One definition on a card of *PARAMETER: type letter, name and value as text.
struct Definition {
  char type = 0;     ///< upper case; 0 if the letter is missing
  std::string name;  ///< upper case
  std::string value;
};

/// Definitions on one card of *PARAMETER: pairs of fields `width` columns wide, or comma-separated. A letter
/// may be separated from its name (`R  TERM`) or not (`rterm`). Text after the fourth pair is in `rest`.
std::vector<Definition> cut_definitions(std::string_view line, int width, std::string_view& rest);

/// Whether a name can be referenced: it has no blanks and no operators of expressions except `-`.
bool may_be_named(std::string_view name);

/// *PARAMETER or *PARAMETER_EXPRESSION with any of _LOCAL, _MUTABLE and _NOECHO, or *PARAMETER_DUPLICATION.
bool is_parameter_keyword(std::string_view name);

/// Definition on a card of *PARAMETER_EXPRESSION; neither type nor name continues the expression before.
Definition cut_expression_definition(std::string_view line, int width);

}  // namespace crumple::deck
