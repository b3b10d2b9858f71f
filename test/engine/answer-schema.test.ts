import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { schemaProblem } from "../../src/engine/structured-output/schema.ts";
import { complaintsAbout } from "../../src/engine/structured-output/validate.ts";

describe("schemas that can be held to", () => {
  const fine: readonly unknown[] = [
    true,
    {},
    { type: ["string", "null"], title: "t", description: "d", default: 1, examples: [2], $comment: "c" },
    { $defs: { "a/b~c": { type: "integer" } }, $ref: "#/$defs/a~1b~0c" },
    { definitions: { "a b": true }, items: { $ref: "#/definitions/a%20b" } },
    { properties: { next: { $ref: "#" } } },
    { patternProperties: { "^x-": { type: "string" } }, additionalProperties: false },
  ];
  for (const schema of fine) {
    test(`[CLI-2] accepted: ${JSON.stringify(schema).slice(0, 60)}`, () => expect(schemaProblem(schema)).toBeNull());
  }

  const refused: readonly (readonly [schema: unknown, says: string])[] = [
    [null, "#: a schema is an object, true or false"],
    [[], "#: a schema is an object, true or false"],
    [{ propertees: {} }, '#: the keyword "propertees" is not supported'],
    [{ unevaluatedProperties: false }, '#: the keyword "unevaluatedProperties" is not supported'],
    [{ properties: { a: { type: "text" } } }, "#/properties/a/type: must be one or several of"],
    [{ items: [{}] }, "#/items: a schema is an object, true or false"],
    [{ allOf: [] }, "#/allOf: must be a list of schemas"],
    [{ $ref: "other.json" }, "#/$ref: only places of this schema can be named"],
    [{ $ref: "#/$defs/none" }, '#/$ref: "#/$defs/none" is not a place of this schema'],
    [{ enum: [{ type: "x" }], $ref: "#/enum/0" }, "is not a place of this schema"],
    [{ properties: { a: { $id: "x" } } }, "#/properties/a/$id: is supported at the top only"],
    [{ pattern: "(?=a)" }, "#/pattern: looking ahead"],
    [{ patternProperties: { "[": true } }, "#/patternProperties: Invalid regular expression"],
    [{ format: "hostname" }, "#/format: is checked only for date, time"],
    [{ minLength: -1 }, "#/minLength: must be a whole number from 0"],
    [{ multipleOf: 0 }, "#/multipleOf: must be a number above 0"],
    [{ required: "a" }, "#/required: must be a list of names"],
    [{ enum: [] }, "#/enum: must be a list of values"],
    [JSON.parse(`${'{"not":'.repeat(200)}{}${"}".repeat(200)}`), "nested too deeply"],
  ];
  for (const [schema, says] of refused) {
    test(`[CLI-2] refused: ${says}`, () => expect(schemaProblem(schema)).toContain(says));
  }
});

describe("what is wrong with a value", () => {
  const tree = {
    $defs: {
      node: {
        type: "object",
        properties: { kids: { type: "array", items: { $ref: "#/$defs/node" } } },
        required: ["kids"],
      },
    },
    $ref: "#/$defs/node",
  };
  const branches: unknown = JSON.parse('{"if":{"type":"string"},"then":{"minLength":2},"else":{"minimum":5}}');
  const money = { type: "number", multipleOf: 0.01, minimum: 0, exclusiveMaximum: 100 };
  const rows: readonly (readonly [schema: unknown, value: unknown, complaints: readonly string[]])[] = [
    [true, 1, []],
    [false, 1, ["the whole: nothing may stand here"]],
    [{ type: "integer" }, 1.0, []],
    [{ type: "integer" }, 1.5, ["the whole: must be integer, not number"]],
    [{ type: ["string", "null"] }, [], ["the whole: must be string or null, not array"]],
    [{ enum: [1, { a: [1], b: 2 }] }, { b: 2, a: [1] }, []],
    [{ enum: [0, "false"] }, false, ['the whole: must be one of [0,"false"]']],
    [{ const: null }, null, []],
    [{ const: [1] }, [true], ["the whole: must be [1]"]],
    [{ minLength: 2, maxLength: 2 }, "😀é", []],
    [{ minLength: 3 }, "😀é", ["the whole: must have at least 3 characters, not 2"]],
    [{ pattern: "^a+$" }, "ab", ["the whole: must match the pattern ^a+$"]],
    [{ pattern: "b" }, 12, []],
    [money, 4.35, []],
    [money, 1e-7, ["the whole: must be a multiple of 0.01"]],
    [money, 100, ["the whole: must be below 100"]],
    [{ multipleOf: 1e-8 }, 12391239123, []],
    [
      { prefixItems: [{ type: "string" }], items: { type: "number" } },
      ["a", 1, "b"],
      ["/2: must be number, not string"],
    ],
    [{ prefixItems: [{ type: "string" }], items: false }, ["a", 1], ["/1: nothing may stand here"]],
    [
      { uniqueItems: true },
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      ["the whole: must not hold the same item twice"],
    ],
    [{ uniqueItems: true }, [1, true, "1", [1]], []],
    [
      { contains: { const: 1 }, maxContains: 1 },
      [1, 1],
      ["the whole: must have at most 1 items of the kind that is asked for, not 2"],
    ],
    [{ contains: { const: 1 }, minContains: 0 }, [], []],
    [{ required: ["toString"] }, {}, ['the whole: the property "toString" is missing']],
    [{ properties: { constructor: { type: "number" } } }, {}, []],
    [
      { properties: { a: true }, patternProperties: { "^x": { type: "number" } }, additionalProperties: false },
      { a: 1, x1: "b", c: 3 },
      ["/x1: must be number, not string", 'the whole: there must be no property "c"'],
    ],
    [{ propertyNames: { maxLength: 1 } }, { ab: 1 }, ['the whole: the name "ab" is not allowed']],
    [{ dependentRequired: { a: ["b"] } }, { a: 1 }, ['the whole: the property "b" is missing']],
    [
      { dependentSchemas: { a: { minProperties: 2 } } },
      { a: 1 },
      ["the whole: must have at least 2 properties, not 1"],
    ],
    [{ oneOf: [{ type: "number" }, { minimum: 2 }] }, 3, ["the whole: fits 2 of the forms that exclude each other"]],
    [
      { anyOf: [{ type: "string" }, { minimum: 2 }] },
      1,
      ["the whole: fits none of the allowed forms; the nearest one says:", "the whole: must be string, not number"],
    ],
    [{ not: { type: "string" } }, "a", ["the whole: has a form that is forbidden"]],
    [branches, "a", ["the whole: must have at least 2 characters, not 1"]],
    [branches, 4, ["the whole: must be at least 5"]],
    [{ format: "date" }, "2024-02-30", ["the whole: must be a valid date"]],
    [{ format: "date" }, "2024-02-29", []],
    [{ format: "date-time" }, "2024-02-29T23:59:60Z", []],
    [{ format: "date-time" }, "2024-02-29 10:00:00Z", ["the whole: must be a valid date-time"]],
    [{ format: "email" }, "a@b..c", ["the whole: must be a valid email"]],
    [{ format: "uri" }, "https://a/b?c#d", []],
    [{ format: "uri" }, "/a", ["the whole: must be a valid uri"]],
    [{ format: "uuid" }, "123e4567-e89b-12d3-a456-426614174000", []],
    [tree, { kids: [{ kids: [{}] }] }, ['/kids/0/kids/0: the property "kids" is missing']],
    [
      { items: { type: "null" } },
      Array.from({ length: 50 }, () => 1),
      Array.from({ length: 10 }, (_, n) => `/${n}: must be null, not number`),
    ],
  ];
  for (const [schema, value, complaints] of rows) {
    test(`[CLI-2] ${JSON.stringify(schema).slice(0, 70)} of ${JSON.stringify(value).slice(0, 30)}`, () => {
      expect(schemaProblem(schema)).toBeNull();
      expect(complaintsAbout(schema, value)).toEqual([...complaints]);
    });
  }

  const endless = ["the whole: too large or too deeply nested to be checked"];

  test("[CLI-2] [ER-2] a value nested without end is a complaint where it is compared, not a fault", () => {
    const deep: unknown = JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`);
    for (const schema of [{ const: 1 }, { enum: [1] }, { uniqueItems: true }, { items: { const: 1 } }])
      expect([schema, complaintsAbout(schema, deep)]).toEqual([schema, endless]);
    expect(complaintsAbout({ const: deep }, 1)).toEqual(endless);
  });

  test("[CLI-2] long lists in the schema against a long answer come to an end", () => {
    const names = Array.from({ length: 5_000 }, (_, n) => `n${n}`);
    const long = Array.from({ length: 100_000 }, () => ({}));
    const ones = long.map(() => "n4999");
    expect(complaintsAbout({ items: { enum: names } }, ones)).toEqual([]);
    expect(complaintsAbout({ items: { enum: names } }, [...ones, "n5000"])).toHaveLength(1);
    const needed = Object.fromEntries(names.map((name) => [name, ["other"]]));
    const ways: readonly unknown[] = [{ required: names }, { dependentRequired: needed }];
    for (const way of ways) expect(complaintsAbout({ items: { anyOf: [way, true] } }, long)).toEqual(endless);
    const types = Array.from({ length: 5_000 }, () => "null");
    expect(complaintsAbout({ items: { anyOf: [{ type: types }, true] } }, long)).toEqual(endless);
    const lengths = { allOf: Array.from({ length: 2_000 }, (_, n) => ({ minLength: n })) };
    expect(complaintsAbout(lengths, "x".repeat(1_000_000))).toEqual(endless);
  });

  test("[CLI-2] a reference that leads to itself, and forms that multiply without end, come to an end", () => {
    expect(complaintsAbout({ $ref: "#" }, 1)).toEqual(endless);
    const twice = {
      $defs: Object.fromEntries(
        Array.from({ length: 40 }, (_, n) => [
          `n${n}`,
          { allOf: [{ $ref: `#/$defs/n${n + 1}` }, { $ref: `#/$defs/n${n + 1}` }] },
        ]),
      ),
    };
    const wide = { $defs: { ...twice.$defs, n40: true }, $ref: "#/$defs/n0" };
    expect(schemaProblem(wide)).toBeNull();
    expect(complaintsAbout(wide, 1)).toEqual(endless);
    expect(complaintsAbout(tree, JSON.parse(`${'{"kids":['.repeat(2_000)}${"]}".repeat(2_000)}`))).toEqual(endless);
  });

  test("[CLI-2] the type of any JSON value is what the schema of that type lets through, and no other", () => {
    const types = ["null", "boolean", "object", "array", "number", "string"];
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const fits = types.filter((type) => complaintsAbout({ type }, value).length === 0);
        const own = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
        expect(fits).toEqual([own]);
        expect(complaintsAbout({ const: value }, JSON.parse(JSON.stringify(value)))).toEqual([]);
      }),
    );
  });
});
