import { type ProtectedName, protectedNames } from "../contract/protected.ts";
import type { PathFact } from "../contract/tool.ts";
import { once } from "./secret/pattern.ts";

/** Everything below them: keys, cloud logins, wallets, key rings, the profiles of browsers and mail programs. */
const secretFolders = new Set([
  ...[".ssh", ".aws", ".gnupg", ".kube", ".azure", ".gcloud", ".oci", ".bluemix", ".password-store", ".secrets"],
  ...[".mozilla", ".thunderbird", ".bitcoin", ".ethereum", ".electrum", ".putty", ".op"],
]);

const secretNames: readonly RegExp[] = [
  /^\.env(?:rc|$|[._-])/,
  /\.env$/,
  /^id_(?:[^.]+|(?:rsa|dsa|ecdsa|ed25519).*)$/,
  /^ssh_host_\w+_key$/,
  /\.(?:pem|key|p8|p12|pfx|pkcs8|pkcs12|jks|keystore|kdbx?|ppk|ovpn|keytab|agekey|keychain(?:-db)?)$/,
  /^[._]netrc$/,
  /^\.(?:npmrc|pypirc|pgpass|htpasswd|dockercfg|dockerconfigjson|git-credentials|yarnrc\.yml|my\.cnf|mylogin\.cnf)$/,
  /^\.(?:s3cfg|boto|databrickscfg|terraformrc|rclone\.conf|passwd-s3fs|wakatime\.cfg|netrc\.gpg)$/,
  /^(?:htpasswd|pgpass\.conf|kaggle\.json|rclone\.conf|ngrok\.yml|wallet\.dat|secring\.gpg|cookies\.txt|key[34]\.db)$/,
  /^\.(?:[a-z0-9]+[-_])*(?:token|password|passwd|api[-_]?key)$/,
  /^(?:passwords?|passwd|api[-_]?keys?|tokens?)\.(?:txt|csv|xlsx?)$/,
  /^\.?vault[-_]pass(?:word)?(?:\.\w+)?$/,
  /^(?:.*[-_.])?credentials?(?:\.(?:json|ya?ml|toml|ini|xml|properties|csv|txt|db|enc|yml\.enc|tfrc\.json))?$/,
  /^(?:.*[-_.])?secrets?\.(?:json|ya?ml|toml|ini|xml|properties|env|txt|enc|tfvars)$/,
  /^(?:.*[-_])?(?:client[-_]secret|service[-_]?account|firebase-adminsdk|gcp-key)(?:[-_.].*)?\.json$/,
  /^(?:.*[-_.])?kubeconfig(?:\.ya?ml)?$/,
  /\.tfstate(?:\.backup|\.\d+\.backup)?$/,
  /\.tfvars(?:\.json)?$/,
  /^\.(?:\w+[-_])*(?:history|histfile|lesshst|viminfo)$/,
];

/** Forms to fill in and pieces of code: kept in repositories so that people read them. */
const sampleNames: readonly RegExp[] = [
  /[._-](?:example|sample|template|tpl|dist|defaults?|schema)s?(?:\.(?:env|json|ya?ml|toml|tfvars|md|txt))?$/,
  /^(?:example|sample|template)\.(?:env|tfvars)$/,
  /\.(?:d\.ts|pub)$/,
];

/** What editors and people leave behind: `.env~`, `credentials.bak`, `key.pem.old`, `.env copy`. */
const copyEnding = /(?:~|[ ._-](?:bak|backup|copy|old|orig|save|swo|swp|tmp)| \(copy\))+$/;

/** Judged with the folders they lie in: their own names are common. */
const secretTails: readonly RegExp[] = [
  /(?:^|\/)\.docker\/config\.json$/,
  /(?:^|\/)\.config\/(?:gcloud|google-chrome[^/]*|chromium|brave[^/]*|microsoft-edge|op|hub|keybase|doctl|stripe)(?:\/|$)/,
  /(?:^|\/)library\/(?:keychains|cookies)(?:\/|$)/,
  /(?:^|\/)library\/application support\/(?:google\/chrome|firefox|bravesoftware|microsoft edge|chromium)(?:\/|$)/,
  /(?:^|\/)\.local\/share\/(?:keyrings|kwalletd)(?:\/|$)/,
  /(?:^|\/)gh\/hosts\.ya?ml$/,
  /(?:^|\/)glab-cli\/config\.ya?ml$/,
  /(?:^|\/)(?:\.codex|\.?composer|containers)\/auth\.json$/,
  /(?:^|\/)\.m2\/settings(?:-security)?\.xml$/,
  /(?:^|\/)\.gradle\/gradle\.properties$/,
  /(?:^|\/)\.(?:fly|snowsql)\/config(?:\.ya?ml)?$/,
  /(?:^|\/)huggingface\/token$/,
  /(?:^|\/)fish\/fish_history$/,
  /(?:^|\/)(?:group_vars|host_vars)\/(?:.+\/)?vault(?:\.ya?ml)?$/,
];

/** On the machine itself, wherever the workspace is. */
const secretRoots: readonly RegExp[] = [
  /^\/etc\/g?shadow-?$/,
  /^\/etc\/(?:ssl\/private|wireguard|kubernetes|sudoers\.d|networkmanager\/system-connections|wpa_supplicant)(?:\/|$)/,
  /^\/(?:var\/)?run\/secrets(?:\/|$)/,
  /^\/proc\/[^/]+\/(?:task\/[^/]+\/)?(?:environ|mem|auxv|maps|smaps|pagemap|stack|syscall)$/,
  /^\/proc\/(?:kcore|kmem|keys)$/,
  /^\/dev\/(?:mem|kmem|port|sd[a-z]\d*|nvme\w+|vd[a-z]\d*|dm-\d+)$/,
];

/**
 * As disks compare names that ignore letter case, marks put together or apart, and (HFS+) invisible code points, or (NTFS)
 * dots and blanks at the end: `.GIT`, `.g<ZWNJ>it` and `.git.` open `.git` there.
 */
function comparable(segment: string): string {
  const bare = segment.replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, "").normalize("NFC");
  // Up first: `ſ` and the Kelvin sign have a capital in common with `s` and `k`.
  const folded = bare.toUpperCase().toLowerCase();
  return /^\.*$/.test(folded) ? folded : folded.replace(/[. ]+$/, "");
}

/** Nothing in it to compare in another way: nearly every path there is. */
function isPlain(path: string): boolean {
  return /^[a-z0-9._+@/-]+$/.test(path) && !/[./](?:\/|$)/.test(path);
}

/** Between slashes, as disks compare them: `/a/b`. */
function comparablePath(path: string): string {
  if (isPlain(path)) return path.startsWith("/") ? path : `/${path}`;
  const known = compared.get(path);
  if (known !== undefined) return known;
  const segments = path.split(/[/\\]/).map(comparable);
  const made = `/${segments.filter((segment) => segment !== "" && segment !== ".").join("/")}`;
  if (compared.size === maxCompared) compared.clear();
  compared.set(path, made);
  return made;
}

/** A path is asked about in several ways, one after the other. */
const compared = new Map<string, string>();
const maxCompared = 64;

/** One form for all of them: each by itself takes longer to make ready than to use. */
function anyOf(forms: readonly RegExp[]): RegExp {
  return new RegExp(forms.map(({ source }) => `(?:${source})`).join("|"));
}

const secretName = once(() => anyOf(secretNames));
const sampleName = once(() => anyOf(sampleNames));
const secretTail = once(() => anyOf(secretTails));
const secretRoot = once(() => anyOf(secretRoots));

/** A file that usually holds keys, tokens or passwords, judged by its name alone. */
export function isSecretPath(path: string): boolean {
  const whole = comparablePath(path);
  const name = whole.slice(whole.lastIndexOf("/") + 1);
  if (whole.includes("/.") && whole.split("/").some((segment) => secretFolders.has(segment))) return true;
  if (secretTail().test(whole)) return true;
  if (path.startsWith("/") && secretRoot().test(whole)) return true;
  const bare = name.replace(copyEnding, "");
  const names = bare === name ? [name] : [name, bare];
  return names.some((one) => secretName().test(one)) && !names.some((one) => sampleName().test(one));
}

/** The same for paths below a folder: in `~/.aws`, or in `/`, what stands behind it says too little. */
export function isSecretIn(folder: string): (path: string) => boolean {
  const above = folder.endsWith("/") ? folder : `${folder}/`;
  return (path) => isSecretPath(path.startsWith("/") ? path : `${above}${path}`);
}

/** `git~1`: its short name on disks of Windows. */
const gitFolders: readonly string[] = [".git", "git~1"];

const deep = protectedNames.filter(({ path }) => path.includes("/"));
const shallow = protectedNames.filter(({ path }) => !path.includes("/"));
const namesOfKind = (kind: ProtectedName["kind"]): readonly string[] =>
  shallow.filter((one) => one.kind === kind).map(({ path }) => path);
const protectedFolders = new Set([...gitFolders, ...namesOfKind("folder")]);
const protectedFiles = new Set(namesOfKind("file"));
const plainDeep = deep.filter(({ path }) => !`/${path}`.includes("/."));

/** Git's own files, ours, and those that make a shell, an editor, a hook or a build server run something. */
export function isProtectedPath(path: string): boolean {
  const whole = comparablePath(path);
  if (protectedFiles.has(whole.slice(whole.lastIndexOf("/") + 1))) return true;
  // Nearly all of them begin with a dot, and nearly no path has one.
  const isDotted = whole.includes("/.") || whole.includes("~");
  if (isDotted && whole.split("/").some((one) => protectedFolders.has(one))) return true;
  return (isDotted ? deep : plainDeep).some(({ path: name, kind }) =>
    kind === "folder" ? `${whole}/`.includes(`/${name}/`) : whole.endsWith(`/${name}`),
  );
}

/** Below our own home: trust, rules, keys and the log of all sessions. Both as real paths. */
export function isOwnPath(real: string, coderHome: string): boolean {
  const home = comparablePath(coderHome);
  return home !== "/" && `${comparablePath(real)}/`.startsWith(`${home}/`);
}

/** Both names count: a harmless name may be a link to a secret, and a secret name may be a link to anything. */
export function namesOf(fact: PathFact): readonly string[] {
  return fact.real === null ? [fact.given] : [fact.given, fact.real];
}
