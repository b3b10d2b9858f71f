// Parts of private keys that no marker stands beside, as paging and searching tools print them.
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { redactor } from "../../../src/policy/redact.ts";
import { RedactingStream } from "../../../src/policy/secret/stream.ts";

const redact = redactor([]);
const folder = mkdtempSync(join(tmpdir(), "coder-key-lines-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A real key of this kind, made now. */
function keyOf(kind: string): string {
  const file = join(folder, kind);
  const made = Bun.spawnSync(["ssh-keygen", "-q", "-N", "", "-C", "", ...(sshArgs[kind] ?? []), "-f", file]);
  if (made.exitCode !== 0) throw new Error(made.stderr.toString());
  return Bun.spawnSync(["cat", file]).stdout.toString();
}

const sshArgs: Readonly<Record<string, readonly string[]>> = {
  "rsa in PEM": ["-t", "rsa", "-b", "2048", "-m", "PEM"],
  "rsa in PKCS 8": ["-t", "rsa", "-b", "2048", "-m", "PKCS8"],
  "rsa of OpenSSH": ["-t", "rsa", "-b", "3072"],
  "ecdsa of OpenSSH": ["-t", "ecdsa", "-b", "521"],
  "ed25519 of OpenSSH": ["-t", "ed25519"],
};

const hasKeygen = Bun.which("ssh-keygen") !== null;
const keys = hasKeygen ? Object.keys(sshArgs).map((kind) => [kind, keyOf(kind)] as const) : [];

/** Pieces of the body that are still there. */
function left(body: readonly string[], shown: string): readonly string[] {
  const windows = body.flatMap((line) =>
    Array.from({ length: Math.max(0, line.length - 15) }, (_, i) => line.slice(i, i + 16)),
  );
  return windows.filter((piece) => shown.includes(piece));
}

const ways: Readonly<Record<string, (line: string, n: number) => string>> = {
  "as they are": (line) => line,
  numbered: (line, n) => `${String(n).padStart(6)}\t${line}`,
  "of grep -n": (line, n) => `${n}:${line}`,
  "of grep -rn": (line, n) => `deploy/notes.txt:${n}:${line}`,
  "of grep -C": (line, n) => `deploy/notes.txt-${n}-${line}`,
  indented: (line) => `      ${line}`,
  quoted: (line) => `    "${line}" +`,
  "in a diff": (line) => `+${line}`,
  "in a comment": (line) => `# ${line}`,
};

test.skipIf(!hasKeygen)(
  "[TP-6] [SA-secrets] any page of a real private key is replaced, however it was cut out",
  () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...keys),
        fc.constantFrom(...Object.keys(ways)),
        fc.nat(),
        fc.integer({ min: 1, max: 12 }),
        fc.constantFrom("\n", "\r\n"),
        fc.boolean(),
        ([kind, key], way, first, count, end, isStreamed) => {
          const lines = key.trim().split("\n");
          const from = first % (lines.length - 1);
          const page = lines.slice(from, from + count);
          const text = [
            "before it",
            ...page.map((line, n) => ways[way]?.(line, from + n + 1) ?? line),
            "after it",
            "",
          ].join(end);
          const shown = isStreamed ? streamed(text) : redact(text).text;
          const body = page.filter((line) => !line.startsWith("-----"));
          // The last line alone may be a word like any other.
          const full = body.filter((line) => line.length >= 60 || body.length > 1);
          expect([kind, way, from, count, shown, left(full, shown)]).toEqual([kind, way, from, count, shown, []]);
          expect(shown).toContain("before it");
          expect(shown).toContain("after it");
        },
      ),
      { numRuns: process.env.CODER_TEST_LONG === "1" ? 5_000 : 600 },
    );
  },
);

function streamed(text: string): string {
  const stream = new RedactingStream([]);
  return [...text.split(/(?<=\n)/).map((line) => stream.push(line)), stream.end()].join("");
}

test.skipIf(!hasKeygen)(
  "[TP-6] [SA-secrets] the end of a key by its bytes, and a key in one line of JSON, are replaced",
  () => {
    for (const [kind, key] of keys) {
      const body = key.trim().split("\n").slice(1, -1);
      for (const bytes of [200, 333, 400]) {
        const shown = redact(key.slice(-bytes)).text;
        expect([kind, bytes, left(body, shown)]).toEqual([kind, bytes, []]);
      }
      const json = JSON.stringify({ name: "x", key: body.join("\n") });
      const { text } = redact(json);
      expect([kind, left(body, text), Object.keys(JSON.parse(text) as object)]).toEqual([kind, [], ["name", "key"]]);
    }
  },
);

test("certificates, public keys and signatures between their markers stay, and so do names, paths and digests", () => {
  const line = (n: number) =>
    Buffer.from(Array.from({ length: 48 }, (_, i) => (i * 37 + n * 101) % 256)).toString("base64");
  const block = (label: string) =>
    [`-----BEGIN ${label}-----`, line(1), line(2), line(3), `-----END ${label}-----`].join("\n");
  const texts = [
    ...["CERTIFICATE", "PUBLIC KEY", "PGP SIGNATURE", "CERTIFICATE REQUEST", "SSH SIGNATURE"].map(block),
    `${"ab12".repeat(16)}\n${"cd34".repeat(16)}`,
    "src/components/Navigation/PrimaryNavigationMenuItem/index/Another/File\n",
    `const data = "${line(4)}";`,
    `integrity sha384-${line(5)}`,
  ];
  for (const text of texts) expect(redact(text).text).toBe(text);
});
