// The operating system's store for secrets: the Secret Service on Linux, the keychain on macOS.
import { findProgram, foreignPath } from "./find-program.ts";

const SERVICE = "coder";
/** A locked keychain may ask its owner first; this bounds the wait. */
const PATIENCE_MS = 60_000;

interface Keychain {
  readonly names: readonly string[];
  readonly read: (account: string) => readonly string[];
  /** Secrets are passed through stdin: everybody on the machine can see arguments. */
  readonly write: (account: string, secret: string) => { readonly args: readonly string[]; readonly input: string };
}

const secretService: Keychain = {
  names: ["secret-tool"],
  read: (account) => ["lookup", "service", SERVICE, "provider", account],
  write: (account, secret) => ({
    args: ["store", `--label=${SERVICE} ${account}`, "service", SERVICE, "provider", account],
    input: secret,
  }),
};

const macKeychain: Keychain = {
  names: ["security"],
  read: (account) => ["find-generic-password", "-s", SERVICE, "-a", account, "-w"],
  write: (account, secret) => ({
    args: ["-i"],
    input: `add-generic-password -U -s ${SERVICE} -a ${account} -X ${Buffer.from(secret).toString("hex")}\n`,
  }),
};

const keychain: Keychain = process.platform === "darwin" ? macKeychain : secretService;

/** Path of its program; `null`: none. The workspace must not provide one. */
function program(keepOut: readonly string[]): string | null {
  return findProgram(keychain.names, foreignPath(process.env.PATH ?? "", keepOut), keepOut);
}

export function keychainName(keepOut: readonly string[]): string | null {
  const found = program(keepOut);
  if (found === null) return null;
  return process.platform === "darwin" || process.env.DBUS_SESSION_BUS_ADDRESS ? (keychain.names[0] ?? null) : null;
}

export function readKeychain(account: string, keepOut: readonly string[]): string | null {
  const file = program(keepOut);
  if (file === null) return null;
  const { exitCode, stdout } = Bun.spawnSync([file, ...keychain.read(account)], {
    stdin: "ignore",
    stderr: "ignore",
    timeout: PATIENCE_MS,
  });
  const secret = stdout.toString().replace(/\n$/, "");
  return exitCode === 0 && secret !== "" ? secret : null;
}

/** `false`: not stored. Reads the secret back: a store that reports success and keeps nothing would lose the key. */
export function writeKeychain(account: string, secret: string, keepOut: readonly string[]): boolean {
  const file = program(keepOut);
  if (file === null) return false;
  const { args, input } = keychain.write(account, secret);
  const { exitCode } = Bun.spawnSync([file, ...args], {
    stdin: Buffer.from(input),
    stdout: "ignore",
    stderr: "ignore",
    timeout: PATIENCE_MS,
  });
  return exitCode === 0 && readKeychain(account, keepOut) === secret;
}
