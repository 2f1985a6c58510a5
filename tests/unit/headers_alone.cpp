// A file for the target that has the precompiled headers of the tests.
#include <gtest/gtest.h>
