import type { PathFact } from "../contract/tool.ts";

const secretFolders = new Set([".ssh", ".aws", ".gnupg", ".kube", ".azure", ".gcloud"]);

const secretNames: readonly RegExp[] = [
  /^\.env/,
  /^id_(?:[^.]+|(?:rsa|dsa|ecdsa|ed25519).*)$/,
  /\.(?:pem|key|p12|pfx|pkcs12|jks|keystore|kdbx|ppk)$/,
  /^[._]netrc$/,
  /^\.(?:npmrc|pypirc|pgpass|htpasswd|dockercfg|git-credentials|yarnrc\.yml|my\.cnf|vault-token)$/,
  /^\.?credentials?(?:\.(?:json|ya?ml|toml|ini|xml|properties|csv|txt|db|enc|yml\.enc))?$/,
  /^\.?secrets?\.(?:json|ya?ml|toml|ini|xml|properties|env|txt)$/,
  /^(?:client_secret|service[-_]account).*\.json$/,
];

const secretTails: readonly RegExp[] = [
  /(?:^|\/)\.docker\/config\.json$/,
  /(?:^|\/)\.config\/gcloud\//,
  /(?:^|\/)gh\/hosts\.yml$/,
];

const protectedFolders = new Set([".git", ".coder"]);

// Disks that ignore letter case, and HFS+ that ignores these code points, open `.GIT` and `.g<ZWNJ>it` as `.git`.
function comparable(path: string): string {
  return path.replace(/[\u200b-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, "").toLowerCase();
}

function segmentsOf(path: string): readonly string[] {
  return comparable(path)
    .split(/[/\\]/)
    .filter((segment) => segment !== "" && segment !== ".");
}

/** A file that usually holds keys, tokens or passwords, judged by its name alone. */
export function isSecretPath(path: string): boolean {
  const segments = segmentsOf(path);
  const name = segments.at(-1) ?? "";
  if (segments.some((segment) => secretFolders.has(segment))) return true;
  if (name.endsWith(".pub")) return false;
  return secretNames.some((form) => form.test(name)) || secretTails.some((form) => form.test(segments.join("/")));
}

/** Git's own files run programs, ours decide what is allowed: a change there reaches further than the file. */
export function isProtectedPath(path: string): boolean {
  return segmentsOf(path).some((segment) => protectedFolders.has(segment));
}

/** Both names count: a harmless name may be a link to a secret, and a secret name may be a link to anything. */
export function namesOf(fact: PathFact): readonly string[] {
  return fact.real === null ? [fact.given] : [fact.given, fact.real];
}
