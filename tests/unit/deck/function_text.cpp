// Functions in C: values, and what is refused.
#include "deck/function_text.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "base/error.hpp"

namespace crumple::deck {
namespace {

double value(const std::string& text, std::array<double, 4> given) { return FunctionText(text)(given); }

TEST(FunctionText, OfOneExpression) {
  EXPECT_DOUBLE_EQ(value("f(t)=2.0*sin(t)+t**2", {0.5}), 2 * std::sin(0.5) + 0.25);
  EXPECT_DOUBLE_EQ(value("float f(float t, float x) = pow(t,3)*fabs(x);", {2, -1.5}), 12.0);
  EXPECT_DOUBLE_EQ(value("f(x,y)=fmax(x,y)+fmod(7.5,2.0)-(x<y && y>1.0)", {1, 3}), 3 + 1.5 - 1);
  EXPECT_DOUBLE_EQ(value("f(t)=\n2.0*\n t // twice\n+ 1.0 /* and\none */", {3}), 7.0);
  EXPECT_DOUBLE_EQ(value("f(a,b)=a/b", {3, 2}), 1.5);
  EXPECT_EQ(FunctionText("load_of(t)=t").name(), "LOAD_OF");
}

TEST(FunctionText, OfABody) {
  const std::string text =
      "float f(float t, float x)\n{\n float a, b = 2.0, pi;\n pi = 3.0;\n a = b*x;\n if (t < 1.0) a += 1.0;\n"
      " else if (t < 2.0) { a *= 2.0 + x; b = 0.0; }\n else return (-1.0);\n a -= pi - b; return a/2.0;\n}";
  const FunctionText f(text);
  EXPECT_EQ(f.arguments(), 2u);
  for (const double x : {-1.0, 0.0, 2.5}) {
    EXPECT_DOUBLE_EQ(f(std::array{0.5, x}), (2 * x + 1 - 1) / 2);
    EXPECT_DOUBLE_EQ(f(std::array{1.5, x}), (2 * x * (2 + x) - 3) / 2);
    EXPECT_DOUBLE_EQ(f(std::array{2.5, x}), -1.0);
  }
}

TEST(FunctionText, SaysWhatItUses) {
  const FunctionText direct("f(t,x,y)=t*y"), by_condition("f(t,x) { if (x > 0.0) return t; return 0.0; }");
  EXPECT_TRUE(direct.uses(0));
  EXPECT_FALSE(direct.uses(1));
  EXPECT_TRUE(direct.uses(2));
  EXPECT_TRUE(by_condition.uses(1));
}

TEST(FunctionText, HasNoValueWithoutReturnOrOfWhatIsNotSet) {
  EXPECT_TRUE(std::isnan(value("f(t) { if (t > 1.0) return t; }", {0.5})));
  EXPECT_TRUE(std::isnan(value("f(t) { float a; return a*t; }", {0.5})));
  EXPECT_DOUBLE_EQ(value("f(t) { float a; a = 1.0; if (t > 1.0) return t; return a; }", {0.5}), 1.0);
}

TEST(FunctionText, WhatIsNoFunctionIsAnError) {
  const auto id = [](const std::string& text) {
    try {
      FunctionText f(text);
    } catch (const Error& error) {
      return error.id();
    }
    return std::string("none");
  };
  for (const char* const text :
       {"", "f", "f(t", "f(t) t", "f(t)=", "f(t)=x", "f(t)=2.0*(t", "f(t) { return t }", "f(t) { return t;",
        "f(t) { a = t; return a; }", "f(t) { else return t; }", "f(t) { return t; } more", "f(t)=t /* never"})
    EXPECT_EQ(id(text), "CR-D013") << text;
  for (const char* const text :
       {"f(t) { while (t > 0.0) t -= 1.0; return t; }", "f(t) { int k; return t; }", "f(t)=t*1/2",
        "f(t) { float a[3]; return t; }", "f(t)= t > 0.0 ? 1.0 : 2.0", "f(t,T)=t",
        "f(t) { print(t); return t; }", "f(t) { t++; return t; }", "f(t)=t^2"})
    EXPECT_EQ(id(text), "CR-D320") << text;
  EXPECT_EQ(id("f(t)=1.0/2"), "none") << "1.0 makes it a division of reals";
  EXPECT_EQ(id("f(x2,x3)=x2/x3"), "none");
}

}  // namespace
}  // namespace crumple::deck
