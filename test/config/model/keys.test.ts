import { afterAll, expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadSettings } from "../../../src/config/load.ts";
import { keysFile, readKeys, storedKey, storedSecrets } from "../../../src/config/model/keys.ts";
import { storeKey } from "../../../src/config/model/store-key.ts";

const base = mkdtempSync(join(tmpdir(), "coder-keys-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));
const newHome = (): string => mkdtempSync(join(base, "home-"));

test("[CLI-5] a stored key is in a file that only its owner reads, beside those that were there", async () => {
  const home = join(newHome(), "deep");
  expect(await storeKey(home, "openai", "one", "file")).toEqual({ ok: true, value: undefined });
  expect(await storeKey(home, "anthropic", "two", "file")).toEqual({ ok: true, value: undefined });
  expect(await storeKey(home, "openai", "three", "file")).toEqual({ ok: true, value: undefined });
  expect(statSync(keysFile(home)).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(keysFile(home), "utf8"))).toEqual({ openai: "three", anthropic: "two" });
  expect([storedKey(home, "openai"), storedKey(home, "google"), storedKey(home, "constructor")]).toEqual([
    ...["three", null, null],
  ] as never);
  expect(storedSecrets(home)).toEqual(["three", "two"]);
});

test("[CLI-5] two who store at once lose neither key", async () => {
  const home = newHome();
  const names = [...Array(12)].map((_, n) => `vendor${n}`);
  await Promise.all(names.map((name) => storeKey(home, name, `key-of-${name}`, "file")));
  expect(Object.keys(readKeysOf(home)).toSorted()).toEqual(names.toSorted());
});

function readKeysOf(home: string): Readonly<Record<string, unknown>> {
  const keys = readKeys(home);
  if (!keys.ok) throw new Error("unreadable");
  return keys.value;
}

test("[CLI-5] a key that no header could hold, and a file that is damaged or a link, are refused and change nothing", async () => {
  const home = newHome();
  expect(await storeKey(home, "openai", "a b", "file")).toMatchObject({ ok: false, error: { code: "E_CONFIG" } });
  writeFileSync(keysFile(home), "{ not json");
  expect(await storeKey(home, "openai", "one", "file")).toMatchObject({
    ok: false,
    error: { text: { key: "setup.keys_unreadable" } },
  });
  expect(readFileSync(keysFile(home), "utf8")).toBe("{ not json");
  expect([storedKey(home, "openai"), storedSecrets(home)]).toEqual([null, []]);
  const linked = newHome();
  const target = join(base, "target.json");
  writeFileSync(target, "{}");
  symlinkSync(target, keysFile(linked));
  expect((await storeKey(linked, "openai", "one", "file")).ok).toBe(false);
  expect(readFileSync(target, "utf8")).toBe("{}");
});

interface Given {
  readonly env?: Readonly<Record<string, string>>;
  readonly flags?: { readonly model?: string; readonly baseUrl?: string };
  readonly config?: unknown;
}

async function keyUsed({ env = {}, flags = {}, config }: Given): Promise<string | null> {
  const home = newHome();
  await storeKey(home, "anthropic", "stored", "file");
  if (config !== undefined) writeFileSync(join(home, "config.json"), JSON.stringify(config));
  const model = { model: "anthropic/claude-opus-5", ...flags };
  const loaded = loadSettings({ flags: model, env: { CODER_HOME: home, ...env }, cwd: home });
  if (!loaded.ok) return loaded.error.text.key;
  return loaded.value.model?.provider.apiKey ?? null;
}

test("[CLI-5] the stored key counts where neither a variable nor the config file gives one", async () => {
  expect(await keyUsed({})).toBe("stored");
  expect(await keyUsed({ env: { ANTHROPIC_API_KEY: "variable" } })).toBe("variable");
  expect(await keyUsed({ env: { CODER_API_KEY: "shared" } })).toBe("shared");
  expect(await keyUsed({ config: { providers: { anthropic: { api_key: "config" } } } })).toBe("config");
});

test("[CLI-6] it goes to the vendor's own address, and to no other", async () => {
  expect(await keyUsed({ flags: { baseUrl: "http://127.0.0.1:9/v1" } })).toBeNull();
  expect(await keyUsed({ flags: { model: "openai/gpt-5" } })).toBe("config.no_key");
});

/** A Secret Service whose store is a folder. */
function fakeKeychain(folder: string): string {
  mkdirSync(folder);
  const script = `#!/bin/sh
case "$1" in
  store) cat > "${folder}/$6" ;;
  lookup) cat "${folder}/$5" ;;
esac
`;
  writeFileSync(join(folder, "secret-tool"), script);
  chmodSync(join(folder, "secret-tool"), 0o755);
  return folder;
}

test.skipIf(process.platform !== "linux")(
  "[CLI-5] in the keychain the key is in no file of ours and in no argument, and is found again",
  async () => {
    const before = process.env.PATH;
    const folder = fakeKeychain(join(base, "bin"));
    process.env.PATH = `${folder}:${before}`;
    try {
      const home = newHome();
      expect(await storeKey(home, "openai", "hidden-key", "keychain")).toEqual({ ok: true, value: undefined });
      expect(readFileSync(keysFile(home), "utf8")).toBe('{\n  "openai": true\n}\n');
      expect(readFileSync(join(folder, "openai"), "utf8")).toBe("hidden-key");
      expect(storedKey(home, "openai")).toBe("hidden-key");
      writeFileSync(join(folder, "secret-tool"), "#!/bin/sh\nexit 0\n");
      expect(await storeKey(home, "google", "lost", "keychain")).toMatchObject({
        ok: false,
        error: { text: { key: "setup.keychain_refused" } },
      });
      expect(Object.keys(readKeysOf(home))).toEqual(["openai"]);
    } finally {
      process.env.PATH = before;
    }
  },
);
