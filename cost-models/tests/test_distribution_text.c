// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Distributions as text: that parser and printer are inverse, over written and random
// distributions; every error with its place; that garbage is refused and nothing else happens.
#include "support.h"

#include "distribution/distribution_internal.h"

#include <locale.h>
#include <stdbool.h>

static char *print(const dc_distribution_spec *spec) {
  size_t length = dc_distribution_print(spec, NULL, 0);
  char *text = malloc(length + 1);
  assert_int_equal(dc_distribution_print(spec, text, length + 1), length);
  assert_int_equal(strlen(text), length);
  return text;
}

static bool same(const dc_distribution_spec *a, const dc_distribution_spec *b) {
  if (a->kind != b->kind || a->count != b->count || !a->next != !b->next ||
      memcmp(a->parameter, b->parameter, sizeof a->parameter) ||
      memcmp(&a->weight, &b->weight, sizeof a->weight))
    return false;
  if (a->kind == DC_DISTRIBUTION_HISTOGRAM && strcmp(a->name, b->name) != 0)
    return false;
  for (size_t i = 0; i < a->count; ++i)
    if (a->points[i].value != b->points[i].value || a->points[i].mass != b->points[i].mass)
      return false;
  const dc_distribution_spec *p = a->parts, *q = b->parts;
  for (; p && q; p = p->next, q = q->next)
    if (!same(p, q))
      return false;
  return !p && !q;
}

static void written_distributions_come_back(void **state) {
  (void)state;
  static const struct {
    const char *text, *printed;
  } cases[] = {
      {"const(3)", "const(3)"},
      {" uniform ( 1 ,\t1000000 )\n", "uniform(1,1000000)"},
      {"binomial(40,.5)", "binomial(40,0.5)"},
      {"geometric(5E-2)", "geometric(0.05)"},
      {"poisson(+30.)", "poisson(30)"},
      {"poisson(-0)", "poisson(0)"},
      {"negbin(5,0.3)", "negbin(5,0.3)"},
      {"zipf(2,1e5)", "zipf(2,100000)"},
      {"const(8796093022208)", "const(8796093022208)"},
      {"list(5:1,1:3)", "list(5:1, 1:3)"},
      {"list(1:0.1, 1:1e-300, 0:0)", "list(1:0.1, 1:1e-300, 0:0)"},
      {"histogram(\"rows.txt\")", "histogram(\"rows.txt\")"},
      {"histogram(\"a:b, (\\\"c\\\") + \\\\d\\e\")",
       "histogram(\"a:b, (\\\"c\\\") + \\\\d\\\\e\")"},
      {"lognormal( -1.5 , 2)", "lognormal(-1.5,2)"},
      {"histogram ( \"a\" , 5:1,1:3)", "histogram(\"a\", 5:1, 1:3)"},
      {"shift(poisson(3),-0)", "shift(poisson(3), 0)"},
      {"scale((const(3)),1e2)", "scale(const(3), 100)"},
      {"clamp(geometric(.5),1,9)", "clamp(geometric(0.5), 1, 9)"},
      {"given(0.5*const(1)+0.5*(const(2)),1,9)", "given(0.5*const(1) + 0.5*const(2), 1, 9)"},
      {"sum(const(3),4)", "sum(const(3), 4)"},
      {"sum(const(3), 1*const(4))", "sum(const(3), const(4))"},
      {"sum(const(3),0.5 *const(4)+0.5*const(5),const(6))",
       "sum(const(3), 0.5*const(4) + 0.5*const(5), const(6))"},
      {"max(max(const(3),1),max(const(3),const(4)))",
       "max(max(const(3), 1), max(const(3), const(4)))"},
      {"0.5*(sum(const(3),2)) + 0.5*shift(0.5*const(1)+0.5*const(2),1)",
       "0.5*sum(const(3), 2) + 0.5*shift(0.5*const(1) + 0.5*const(2), 1)"},
      {"0.9*const(1) + 0.1*geometric(0.01)", "0.9*const(1) + 0.1*geometric(0.01)"},
      {"0.9 * const(1)+.1*geometric(0.01)", "0.9*const(1) + 0.1*geometric(0.01)"},
      {"1*const(1)", "const(1)"},
      {"((const(1)))", "const(1)"},
      {"0.5*(const(1)) + 0.5*(1*const(2))", "0.5*const(1) + 0.5*const(2)"},
      {"0.5*(0.25*const(1)+0.75*const(2)) + 0.5*const(3)",
       "0.5*(0.25*const(1) + 0.75*const(2)) + 0.5*const(3)"},
      {"0.333*const(1)+0.333*const(2)+0.333*const(3)",
       "0.333*const(1) + 0.333*const(2) + 0.333*const(3)"},
      {"geometric(0.1234567890123456789)", "geometric(0.12345678901234568)"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    dc_distribution_spec *spec, *copy;
    dc_error error = {0};
    if (dc_distribution_parse(cases[i].text, &spec, &error) != DC_OK)
      fail_msg("%s: %s", cases[i].text, error.text);
    char *text = print(spec);
    assert_string_equal(text, cases[i].printed);
    assert_int_equal(dc_distribution_parse(text, &copy, &error), DC_OK);
    assert_true(same(spec, copy));
    free(text);
    dc_distribution_spec_free(spec);
    dc_distribution_spec_free(copy);
  }
}

// Within the range of the table, of any size that there is room for.
static double random_parameter(uint64_t *seed, const dc_parameter_rule *rule) {
  double value = rule->low + (rule->high - rule->low) * exp(-40 * random_unit(seed));
  return rule->whole ? floor(value) : value;
}

static void random_parameters(uint64_t *seed, dc_distribution_spec *spec) {
  const dc_distribution_rule *rule = &dc__distribution_rules[spec->kind];
  for (unsigned i = 0; i < rule->parameters; ++i)
    spec->parameter[i] = random_parameter(seed, &rule->parameter[i]);
  if (rule->ordered && spec->parameter[0] > spec->parameter[1])
    spec->parameter[1] = spec->parameter[0];
}

static dc_distribution_kind random_kind(uint64_t *seed, bool leaf) {
  for (;;) {
    unsigned kind = random_below(seed, DC_DISTRIBUTION_KINDS);
    if (!leaf || dc__distribution_rules[kind].form == DC_FORM_FORMULA)
      return (dc_distribution_kind)kind;
  }
}

// A distribution of random shape and parameters; nodes come from an array.
static dc_distribution_spec *random_spec(uint64_t *seed, dc_distribution_spec *nodes,
                                         unsigned *used, dc_point *points) {
  dc_distribution_spec *spec = &nodes[(*used)++], *last = NULL;
  *spec = (dc_distribution_spec){.kind = random_kind(seed, *used >= 40)};
  unsigned parts = 0;
  switch (dc__distribution_rules[spec->kind].form) {
  case DC_FORM_FORMULA:
    break;
  case DC_FORM_POINTS:
    spec->points = points;
    spec->count = 1 + random_below(seed, 20);
    break;
  case DC_FORM_FILE:
    spec->points = random_below(seed, 2) ? points : NULL;
    spec->count = spec->points ? 1 + random_below(seed, 20) : 0;
    spec->name = ((const char *[]){"x", "\\\"", "a/b c", "\xc3\xa4+*("})[random_below(seed, 4)];
    break;
  case DC_FORM_MIXTURE:
    parts = 2 + random_below(seed, 3);
    break;
  case DC_FORM_MAP:
    parts = 1;
    break;
  case DC_FORM_COMBINE:
    parts = 1 + random_below(seed, 3);
    break;
  }
  double rest = 1;
  for (unsigned left = parts; left > 0; --left) {
    dc_distribution_spec *part = random_spec(seed, nodes, used, points);
    if (spec->kind == DC_DISTRIBUTION_MIXTURE)
      part->weight = left > 1 ? rest * random_unit(seed) : rest;
    rest -= part->weight;
    *(last ? &last->next : &spec->parts) = part;
    last = part;
  }
  if (parts < 2)
    random_parameters(seed, spec);
  return spec;
}

static void random_specs_come_back(void **state) {
  (void)state;
  uint64_t seed = 6;
  dc_point points[20];
  for (unsigned round = 0; round < 2000; ++round) {
    dc_distribution_spec nodes[400];
    unsigned used = 0;
    for (unsigned i = 0; i < 20; ++i)
      points[i] = (dc_point){(int64_t)(random_bits(&seed) % ((uint64_t)DC_TRIPS_MAX + 1)),
                             exp(1200 * random_unit(&seed) - 600)};
    const dc_distribution_spec *spec = random_spec(&seed, nodes, &used, points);
    dc_error error = {0};
    if (dc_distribution_spec_check(spec, &error) != DC_OK)
      fail_msg("%s", error.text);
    char *text = print(spec);
    dc_distribution_spec *copy;
    if (dc_distribution_parse(text, &copy, &error) != DC_OK)
      fail_msg("%s: %s", text, error.text);
    if (!same(spec, copy))
      fail_msg("%s comes back as another distribution", text);
    char *again = print(copy);
    assert_string_equal(text, again);
    free(text);
    free(again);
    dc_distribution_spec_free(copy);
  }
}

static void errors_say_what_and_where(void **state) {
  (void)state;
  static const struct {
    const char *text;
    dc_status status;
    unsigned offset;
    const char *message;
  } cases[] = {
      {"", DC_ERROR_SYNTAX, 0, "expected a distribution, but found the end"},
      {"  ", DC_ERROR_SYNTAX, 2, "expected a distribution, but found the end"},
      {"5", DC_ERROR_SYNTAX, 1,
       "expected '*' between a weight and its distribution, but found the end"},
      {"poison(3)", DC_ERROR_SYNTAX, 0, NULL}, // what it says, below
      {"Poisson(3)", DC_ERROR_SYNTAX, 0, NULL},
      {"poisson", DC_ERROR_SYNTAX, 7,
       "expected '(' after the name of a distribution, but found the end"},
      {"poisson()", DC_ERROR_SYNTAX, 8,
       "expected a number, l of poisson, in [0, 1e+12], but found ')'"},
      {"poisson(nan)", DC_ERROR_SYNTAX, 8,
       "expected a number, l of poisson, in [0, 1e+12], but found 'n'"},
      {"poisson(inf)", DC_ERROR_SYNTAX, 8, NULL},
      {"poisson(.)", DC_ERROR_SYNTAX, 8, NULL},
      {"poisson(0x10)", DC_ERROR_SYNTAX, 9,
       "expected ')' after the arguments of poisson, but found 'x'"},
      {"poisson(3", DC_ERROR_SYNTAX, 9,
       "expected ')' after the arguments of poisson, but found the end"},
      {"poisson(3,4)", DC_ERROR_SYNTAX, 9, NULL},
      {"poisson(3) x", DC_ERROR_SYNTAX, 11, "expected the end of the distribution, but found 'x'"},
      {"poisson(3)\x01", DC_ERROR_SYNTAX, 10,
       "expected the end of the distribution, but found a character that doesn't belong here"},
      {"poisson(1e)", DC_ERROR_SYNTAX, 9, NULL},
      {"uniform(1)", DC_ERROR_SYNTAX, 9,
       "expected ',' and b of uniform, a whole number from 0 to 8796093022208, but found ')'"},
      {"list()", DC_ERROR_SYNTAX, 5,
       "expected a number, a value of list, a whole number, but found ')'"},
      {"list(1)", DC_ERROR_SYNTAX, 6,
       "expected ':' between a value of list and its mass, but found ')'"},
      {"list(1:)", DC_ERROR_SYNTAX, 7, NULL},
      {"list(1:2,)", DC_ERROR_SYNTAX, 9, NULL},
      {"histogram(x)", DC_ERROR_SYNTAX, 10,
       "expected the file name of histogram in quotes, but found 'x'"},
      {"histogram(\"x)", DC_ERROR_SYNTAX, 10,
       "the quote that opens the file name of histogram isn't closed"},
      {"histogram(\"x\\", DC_ERROR_SYNTAX, 10, NULL},
      {"histogram(\"\")", DC_ERROR_ARGUMENT, 0, "the file name of histogram is empty"},
      {"histogram(\"x\",)", DC_ERROR_SYNTAX, 14,
       "expected a number, a value of histogram, a whole number, but found ')'"},
      {"histogram(\"x\", 1:0)", DC_ERROR_ARGUMENT, 0,
       "the masses of histogram are all 0, but one must be positive"},
      {"histogram(\"x\", 1.5:1)", DC_ERROR_ARGUMENT, 15,
       "value 1 of histogram is 1.5, but must be a whole number from 0 to 8796093022208"},
      {"shift()", DC_ERROR_SYNTAX, 6, "expected a distribution, but found ')'"},
      {"shift(const(1))", DC_ERROR_SYNTAX, 14,
       "expected ',' after the distribution in shift, and its numbers, but found ')'"},
      {"shift(const(1),const(2))", DC_ERROR_SYNTAX, 15,
       "expected a number, k of shift, a whole number from -8796093022208 to 8796093022208, but "
       "found 'c'"},
      {"shift(const(1),1,2)", DC_ERROR_SYNTAX, 16,
       "expected ')' after the arguments of shift, but found ','"},
      {"shift(const(1),0.5)", DC_ERROR_ARGUMENT, 0,
       "k of shift is 0.5, but must be a whole number from -8796093022208 to 8796093022208"},
      {"scale(const(1),0)", DC_ERROR_ARGUMENT, 0,
       "k of scale is 0, but must be a whole number from 1 to 8796093022208"},
      {"scale(const(1),1e13)", DC_ERROR_ARGUMENT, 0, NULL},
      {"clamp(const(1),2)", DC_ERROR_SYNTAX, 16,
       "expected ',' and b of clamp, a whole number from 0 to 8796093022208, but found ')'"},
      {"clamp(const(1),3,2)", DC_ERROR_ARGUMENT, 0,
       "a of clamp is 3, but must not be above b, which is 2"},
      {"clamp(const(1),-3,2)", DC_ERROR_ARGUMENT, 0,
       "a of clamp is -3, but must be a whole number from 0 to 8796093022208"},
      {"given(const(1),3,2)", DC_ERROR_ARGUMENT, 0,
       "a of given is 3, but must not be above b, which is 2"},
      {"given(const(1),3,1e999)", DC_ERROR_ARGUMENT, 0,
       "b of given is inf, but must be a whole number from 0 to 8796093022208"},
      {"sum(const(1))", DC_ERROR_SYNTAX, 12,
       "expected ',' after the distribution in sum, and its number or another distribution, but "
       "found ')'"},
      {"sum(const(1),0)", DC_ERROR_ARGUMENT, 0,
       "k of sum is 0, but must be a whole number from 1 to 1000000000"},
      {"sum(3,const(1))", DC_ERROR_SYNTAX, 5,
       "expected '*' between a weight and its distribution, but found ','"},
      {"sum(const(1),const(2),3)", DC_ERROR_SYNTAX, 23,
       "expected '*' between a weight and its distribution, but found ')'"},
      {"max(const(1),2.5)", DC_ERROR_ARGUMENT, 0,
       "k of max is 2.5, but must be a whole number from 1 to 1000000000"},
      {"max(const(1),geometric(2))", DC_ERROR_ARGUMENT, 13,
       "p of geometric is 2, but must be in (0, 1]"},
      {"lognormal(31,1)", DC_ERROR_ARGUMENT, 0,
       "mu of lognormal is 31, but must be in [-1000, 30]"},
      {"lognormal(3,0)", DC_ERROR_ARGUMENT, 0, "sigma of lognormal is 0, but must be in (0, 100]"},
      {"(const(1)", DC_ERROR_SYNTAX, 9, "expected ')' at the end of the group, but found the end"},
      {"const(1) + const(2)", DC_ERROR_SYNTAX, 0,
       "this component of a mixture has no weight; write 0.5*const(...)"},
      {"0.5*const(1) + const(2)", DC_ERROR_SYNTAX, 15, NULL},
      {"0.5*const(1) +", DC_ERROR_SYNTAX, 14, NULL},
      {"0.5*0.5*const(1)", DC_ERROR_SYNTAX, 4, "expected a distribution, but found '0'"},
      {"0.5*const(1)", DC_ERROR_ARGUMENT, 0,
       "the weights of a mixture sum to 0.5, but must sum to 1"},
      {"0.5*const(1) + 0.6*const(2)", DC_ERROR_ARGUMENT, 0,
       "the weights of a mixture sum to 1.1, but must sum to 1"},
      {"1.5*const(1) + -0.5*const(2)", DC_ERROR_ARGUMENT, 0,
       "a weight of a mixture is 1.5, but must be in [0, 1]"},
      {"0.5*const(1) + 0.5*(0.5*const(1) + 0.1*const(2))", DC_ERROR_ARGUMENT, 20,
       "the weights of a mixture sum to 0.6, but must sum to 1"},
      {"geometric(1.5)", DC_ERROR_ARGUMENT, 0, "p of geometric is 1.5, but must be in (0, 1]"},
      {"0.5*const(1) + 0.5*geometric(0)", DC_ERROR_ARGUMENT, 19,
       "p of geometric is 0, but must be in (0, 1]"},
      {"poisson(1e999)", DC_ERROR_ARGUMENT, 0, "l of poisson is inf, but must be in [0, 1e+12]"},
      {"poisson(-3)", DC_ERROR_ARGUMENT, 0, "l of poisson is -3, but must be in [0, 1e+12]"},
      {"const(1.5)", DC_ERROR_ARGUMENT, 0, NULL},
      {"uniform(5,3)", DC_ERROR_ARGUMENT, 0,
       "a of uniform is 5, but must not be above b, which is 3"},
      {"list(1:1, 2.5:1)", DC_ERROR_ARGUMENT, 10,
       "value 2 of list is 2.5, but must be a whole number from 0 to 8796093022208"},
      {"list(-1:1)", DC_ERROR_ARGUMENT, 5, NULL},
      {"list(1e99:1)", DC_ERROR_ARGUMENT, 5, NULL},
      {"list(1:-1)", DC_ERROR_ARGUMENT, 0,
       "the mass of value 1 in list is -1, but must be finite and not negative"},
      {"list(1:0)", DC_ERROR_ARGUMENT, 0, "the masses of list are all 0, but one must be positive"},
      {"list(1:1e999)", DC_ERROR_ARGUMENT, 0, NULL},
      {"list(1:1e308, 2:1e308)", DC_ERROR_ARGUMENT, 0,
       "the masses of list sum to more than a number can hold, 1.8e308"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    dc_distribution_spec root, *spec = &root;
    dc_error error = {0};
    dc_status status = dc_distribution_parse(cases[i].text, &spec, &error);
    if (status != cases[i].status || error.status != status || error.offset != cases[i].offset)
      fail_msg("%s: status %d at %u: %s", cases[i].text, status, error.offset, error.text);
    if (cases[i].message)
      assert_string_equal(error.text, cases[i].message);
    assert_null(spec);
    assert_int_equal(dc_distribution_parse(cases[i].text, &spec, NULL), status);
  }
}

static void long_and_deep_texts(void **state) {
  (void)state;
  enum { DEPTH = 100000 };
  char *text = malloc(2 * DEPTH + 10);
  dc_distribution_spec *spec;
  dc_error error;
  assert_non_null(text);
  memset(text, '(', DEPTH);
  strcpy(text + DEPTH, "const(1)");
  assert_int_equal(dc_distribution_parse(text, &spec, &error), DC_ERROR_LIMIT);
  assert_string_equal(error.text, "distributions nest deeper than 64");
  snprintf(text, 2 * DEPTH, "const(%0200d1)", 0);
  assert_int_equal(dc_distribution_parse(text, &spec, &error), DC_ERROR_SYNTAX);
  assert_string_equal(error.text, "the number has 201 characters, but may have 128");
  memset(text, 'x', 1000);
  text[1000] = 0;
  assert_int_equal(dc_distribution_parse(text, &spec, &error), DC_ERROR_SYNTAX);
  free(text);
}

static void prints_are_cut_and_terminated(void **state) {
  (void)state;
  const char *text = "0.5*list(1:2, 3:4) + 0.5*histogram(\"x\")";
  dc_distribution_spec root, *spec = &root;
  dc_error error;
  assert_int_equal(dc_distribution_parse(NULL, &spec, &error), DC_ERROR_ARGUMENT);
  assert_null(spec);
  assert_int_equal(dc_distribution_parse(text, &spec, &error), DC_OK);
  // A print that is cut is terminated, and says how long it would be.
  for (size_t capacity = 0; capacity < 45; ++capacity) {
    char copy[50];
    memset(copy, '#', sizeof copy);
    assert_int_equal(dc_distribution_print(spec, copy, capacity), strlen(text));
    assert_true(copy[capacity] == '#');
    if (capacity > 0) {
      size_t fits = capacity - 1 < strlen(text) ? capacity - 1 : strlen(text);
      assert_int_equal(strlen(copy), fits);
      assert_memory_equal(copy, text, fits);
    }
  }
  dc_distribution_spec_free(spec);
  dc_distribution_spec_free(NULL);
}

static void numbers_do_not_depend_on_the_locale(void **state) {
  (void)state;
  if (!setlocale(LC_NUMERIC, "de_DE.UTF-8") && !setlocale(LC_NUMERIC, "fr_FR.UTF-8"))
    skip();
  dc_distribution_spec *spec;
  assert_int_equal(dc_distribution_parse("geometric(0.05)", &spec, NULL), DC_OK);
  char *text = print(spec);
  setlocale(LC_NUMERIC, "C");
  assert_string_equal(text, "geometric(0.05)");
  assert_true(spec->parameter[0] == 0.05);
  free(text);
  dc_distribution_spec_free(spec);
}

static void garbage_is_refused_and_the_rest_comes_back(void **state) {
  (void)state;
  static const char *const pieces[] = {"const(",
                                       "uniform(",
                                       "binomial(",
                                       "geometric(",
                                       "poisson(",
                                       "negbin(",
                                       "zipf(",
                                       "list(",
                                       "histogram(",
                                       "shift(",
                                       "sum(",
                                       "max(",
                                       "clamp(",
                                       ",2",
                                       "\"a\"",
                                       "\"",
                                       "\\",
                                       "(",
                                       ")",
                                       ")",
                                       ",",
                                       ":",
                                       "*",
                                       "+",
                                       "-",
                                       ".",
                                       "0.5*",
                                       "0.5",
                                       "1",
                                       "3",
                                       "1e9",
                                       "e",
                                       " ",
                                       "\xff",
                                       "nan",
                                       "const(1)",
                                       "list(1:3)",
                                       "poisson(3)",
                                       "0.5*const(1)",
                                       "+ 0.5*zipf(1,3)"};
  uint64_t seed = 7;
  unsigned accepted = 0;
  for (unsigned round = 0; round < 60000; ++round) {
    char text[128] = "";
    for (unsigned n = random_below(&seed, 12); n > 0; --n)
      strcat(text, pieces[random_below(&seed, sizeof pieces / sizeof *pieces)]);
    dc_distribution_spec *spec, *copy;
    dc_error error = {0};
    dc_status status = dc_distribution_parse(text, &spec, &error);
    if (status == DC_OK) {
      ++accepted;
      char *printed = print(spec);
      assert_int_equal(dc_distribution_parse(printed, &copy, &error), DC_OK);
      assert_true(same(spec, copy));
      free(printed);
      dc_distribution_spec_free(copy);
    } else {
      assert_true(error.text[0] != 0 && error.offset <= strlen(text));
      assert_null(spec);
    }
    dc_distribution_spec_free(spec);
  }
  assert_true(accepted > 300);
}

static void an_unknown_name_is_told_all_there_are(void **state) {
  (void)state;
  dc_distribution_spec *spec;
  dc_error error;
  assert_int_equal(dc_distribution_parse("poison(3)", &spec, &error), DC_ERROR_SYNTAX);
  const char begin[] = "unknown distribution 'poison'; there are const, uniform, ";
  assert_memory_equal(error.text, begin, strlen(begin));
  for (unsigned kind = 0; kind < DC_DISTRIBUTION_KINDS; ++kind)
    if (dc__distribution_rules[kind].name && !strstr(error.text, dc__distribution_rules[kind].name))
      fail_msg("%s isn't among them: %s", dc__distribution_rules[kind].name, error.text);
}

static void usages_are_those_of_the_table(void **state) {
  (void)state;
  static const struct {
    dc_distribution_kind kind;
    const char *usage;
  } cases[] = {{DC_DISTRIBUTION_CONST, "const(k)"},
               {DC_DISTRIBUTION_UNIFORM, "uniform(a,b)"},
               {DC_DISTRIBUTION_LIST, "list(v:p, ...)"},
               {DC_DISTRIBUTION_HISTOGRAM, "histogram(\"FILE\")"},
               {DC_DISTRIBUTION_MIXTURE, "0.9*D + 0.1*D"},
               {DC_DISTRIBUTION_CLAMP, "clamp(D, a, b)"},
               {DC_DISTRIBUTION_MAX, "max(D, k)"}};
  char text[80];
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    assert_int_equal(dc_distribution_usage(cases[i].kind, text, sizeof text),
                     strlen(cases[i].usage));
    assert_string_equal(text, cases[i].usage);
  }
  assert_int_equal(dc_distribution_usage(DC_DISTRIBUTION_UNIFORM, text, 5), 12);
  assert_string_equal(text, "unif");
  assert_int_equal(dc_distribution_usage(DC_DISTRIBUTION_KINDS, text, sizeof text), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(written_distributions_come_back),
      cmocka_unit_test(random_specs_come_back),
      cmocka_unit_test(an_unknown_name_is_told_all_there_are),
      cmocka_unit_test(usages_are_those_of_the_table),
      cmocka_unit_test(errors_say_what_and_where),
      cmocka_unit_test(long_and_deep_texts),
      cmocka_unit_test(prints_are_cut_and_terminated),
      cmocka_unit_test(numbers_do_not_depend_on_the_locale),
      cmocka_unit_test(garbage_is_refused_and_the_rest_comes_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
