import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { readySchema, schemaProblem } from "../../src/engine/structured-output/schema.ts";
import { complaintsAbout as complaintsOf } from "../../src/engine/structured-output/validate.ts";

function complaintsAbout(schema: unknown, value: unknown): readonly string[] {
  const ready = readySchema(schema);
  if ("problem" in ready) throw new Error(ready.problem);
  return complaintsOf(ready, value);
}

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
    [null, "a schema is an object, true or false"],
    [[], "a schema is an object, true or false"],
    [{ propertees: {} }, 'unknown keyword: "propertees"'],
    [{ properties: { a: { type: "text" } } }, "#/properties/a/type: must be equal to one of the allowed values"],
    [{ items: [{}] }, "#/items: must be object,boolean"],
    [{ allOf: [] }, "#/allOf: must NOT have fewer than 1 items"],
    [{ $ref: "other.json" }, "can't resolve reference other.json"],
    [{ $ref: "#/$defs/none" }, "can't resolve reference #/$defs/none"],
    [{ $ref: "https://ex.example/schema" }, "can't resolve reference https://ex.example/schema"],
    [{ pattern: "(?=a)" }, 'the pattern "(?=a)" cannot be used: looking ahead'],
    [{ patternProperties: { "[": true } }, 'the pattern "[" cannot be used: Invalid regular expression'],
    [{ $async: true }, 'unknown keyword: "$async"'],
    [{ format: "hostname" }, 'unknown format "hostname"'],
    [{ minLength: -1 }, "#/minLength: must be >= 0"],
    [{ multipleOf: 0 }, "#/multipleOf: must be > 0"],
    [{ required: "a" }, "#/required: must be array"],
    [{ enum: [] }, "enum must have non-empty array"],
    [JSON.parse(`${'{"not":'.repeat(20_000)}{}${"}".repeat(20_000)}`), "nested too deeply"],
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
    [{ minLength: 3 }, "😀é", ["the whole: must NOT have fewer than 3 characters"]],
    [{ pattern: "^a+$" }, "ab", ["the whole: must match the pattern ^a+$"]],
    [{ pattern: "b" }, 12, []],
    [money, 4.35, []],
    [money, 1e-7, ["the whole: must be multiple of 0.01"]],
    [money, 100, ["the whole: must be < 100"]],
    [{ multipleOf: 1e-8 }, 12391239123, []],
    [
      { prefixItems: [{ type: "string" }], items: { type: "number" } },
      ["a", 1, "b"],
      ["/2: must be number, not string"],
    ],
    [{ prefixItems: [{ type: "string" }], items: false }, ["a", 1], ["the whole: must NOT have more than 1 items"]],
    [
      { uniqueItems: true },
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      ["the whole: must NOT have duplicate items (items ## 0 and 1 are identical)"],
    ],
    [{ uniqueItems: true }, [1, true, "1", [1]], []],
    [
      { contains: { const: 1 }, maxContains: 1 },
      [1, 1],
      ["the whole: must contain at least 1 and no more than 1 valid item(s)"],
    ],
    [{ required: ["toString"] }, {}, ['the whole: the property "toString" is missing']],
    [{ properties: { constructor: { type: "number" } } }, {}, []],
    [
      { properties: { a: true }, patternProperties: { "^x": { type: "number" } }, additionalProperties: false },
      { a: 1, x1: "b", c: 3 },
      ['the whole: there must be no property "c"', "/x1: must be number, not string"],
    ],
    [
      { propertyNames: { maxLength: 1 } },
      { ab: 1 },
      ['the whole: the name "ab" is not allowed: must NOT have more than 1 characters'],
    ],
    [{ dependentRequired: { a: ["b"] } }, { a: 1 }, ["the whole: must have property b when property a is present"]],
    [{ dependentSchemas: { a: { minProperties: 2 } } }, { a: 1 }, ["the whole: must NOT have fewer than 2 properties"]],
    [{ oneOf: [{ type: "number" }, { minimum: 2 }] }, 3, ["the whole: must match exactly one schema in oneOf"]],
    [
      { anyOf: [{ type: "string" }, { minimum: 2 }] },
      1,
      ["the whole: must be string, not number", "the whole: must be >= 2", "the whole: fits none of the allowed forms"],
    ],
    [{ not: { type: "string" } }, "a", ["the whole: has a form that is forbidden"]],
    [branches, "a", ["the whole: must NOT have fewer than 2 characters"]],
    [branches, 4, ["the whole: must be >= 5"]],
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
    const nested = (): unknown => JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`);
    const deep = nested();
    const recursive = { items: { $ref: "#" } };
    expect(complaintsAbout(recursive, nested())).toEqual(endless);
    expect(schemaProblem({ const: deep })).toBe("the schema is nested too deeply");
    expect(complaintsAbout({ const: 1 }, deep)).toEqual(["the whole: must be 1"]);
  });

  test("[CLI-2] [ER-2] an object with a key of JavaScript's own is a complaint where it cannot be compared, not a fault", () => {
    for (const value of [{ valueOf: 0 }, { toString: 0 }, { constructor: 0 }, JSON.parse('{"__proto__":0}')])
      for (const schema of [{ const: { a: 1 } }, { enum: [{ valueOf: 0 }] }])
        expect(complaintsAbout(schema, value).length).toBeLessThan(2);
  });

  test("[CLI-2] what only the full draft has is held to", () => {
    const closed = { allOf: [{ properties: { a: true } }], properties: { b: true }, unevaluatedProperties: false };
    expect(complaintsAbout(closed, { a: 1, b: 2 })).toEqual([]);
    expect(complaintsAbout(closed, { c: 1 })).toEqual(['the whole: there must be no property "c"']);
    const named = {
      $id: "https://ex.example/a",
      $defs: { n: { $anchor: "n", type: "number" } },
      items: { $ref: "#n" },
    };
    expect(complaintsAbout(named, [1, "a"])).toEqual(["/1: must be number, not string"]);
    const list = { $dynamicAnchor: "t", properties: { next: { $dynamicRef: "#t" }, n: { type: "number" } } };
    expect(complaintsAbout(list, { next: { n: "a" } })).toEqual(["/next/n: must be number, not string"]);
    const old = { $schema: "http://json-schema.org/draft-07/schema#", type: "null" };
    expect(complaintsAbout(old, null)).toEqual([]);
  });

  test("[CLI-2] long lists in the schema against a long answer come to an end", () => {
    const names = Array.from({ length: 5_000 }, (_, n) => `n${n}`);
    const long = Array.from({ length: 100_000 }, () => ({}));
    const ones = long.map(() => "n4999");
    expect(complaintsAbout({ items: { enum: names } }, ones.slice(0, 100))).toEqual([]);
    expect(complaintsAbout({ items: { enum: names } }, ["n5000"])).toHaveLength(1);
    expect(complaintsAbout({ items: { enum: names } }, ones)).toEqual(endless);
    const needed = Object.fromEntries(names.map((name) => [name, ["other"]]));
    const ways: readonly unknown[] = [{ required: names }, { dependentRequired: needed }];
    for (const way of ways) expect(complaintsAbout({ items: { anyOf: [way, true] } }, long)).toEqual(endless);
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
    for (const place of ["default", "const", "enum/0"]) {
      const [key = "", first] = place.split("/");
      const hidden = JSON.parse(JSON.stringify(wide.$defs).replaceAll("#/$defs", `#/${place}`));
      const schema = { [key]: first ? [hidden, 1] : hidden, not: { $ref: `#/${place}/n0` } };
      expect(complaintsAbout(schema, 1)).toEqual(endless);
    }
    expect(complaintsAbout(tree, JSON.parse(`${'{"kids":['.repeat(50_000)}${"]}".repeat(50_000)}`))).toEqual(endless);
  });

  test("[CLI-2] the type of any JSON value is what the schema of that type lets through, and no other", () => {
    const types = ["null", "boolean", "object", "array", "number", "string"];
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const fits = types.filter((type) => complaintsAbout({ type }, value).length === 0);
        const own = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
        expect(fits).toEqual([own]);
        const text = JSON.stringify(value);
        // The library compares no objects with such keys.
        if (!/"(?:valueOf|toString|constructor|__proto__)":/.test(text))
          expect(complaintsAbout({ const: value }, JSON.parse(text))).toEqual([]);
      }),
    );
  });
});
