export const sampleRule = "bash(npm test -- --watch=false)";

/** Plain JavaScript with Node's own test runner: needs no package. */
export const sample: Readonly<Record<string, string>> = {
  "package.json": `{
  "name": "corner-shop",
  "version": "1.0.0",
  "private": true,
  "type": "module",
  "scripts": { "test": "node shop.test.js" }
}
`,
  "shop.js": `export function subtotal(items) {
  let sum = 0;
  for (const { price, quantity } of items) sum += price * quantity;
  return sum;
}

/** Free from 50 on. */
export function shipping(sum) {
  return sum > 50 ? 0 : 5;
}

export function total(items) {
  const sum = subtotal(items);
  return sum + shipping(sum);
}
`,
  "shop.test.js": `import assert from "node:assert";
import test from "node:test";
import { shipping, subtotal, total } from "./shop.js";

const tea = { name: "tea", price: 4, quantity: 5 };
const pot = { name: "pot", price: 30, quantity: 1 };

test("adds up what is in the basket", () => {
  assert.strictEqual(subtotal([tea, pot]), 50);
  assert.strictEqual(subtotal([]), 0);
});

test("small orders pay for shipping", () => {
  assert.strictEqual(shipping(49), 5);
  assert.strictEqual(total([tea]), 25);
});

test("shipping is free from 50 on", () => {
  assert.strictEqual(shipping(80), 0);
  assert.strictEqual(total([tea, pot]), 50);
});
`,
};
