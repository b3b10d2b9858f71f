// Real formats with invented values. Every value is put together when the tests run: no literal here looks like a key.

const digits = "0123456789";
const smalls = "abcdefghijklmnopqrstuvwxyz";
const capitals = smalls.toUpperCase();
export const hex = `${digits}abcdef`;
export const alnum = capitals + smalls + digits;
const url64 = `${alnum}-_`;
const base64 = `${alnum}+/`;
const base32 = `${capitals}234567`;

/** Looks random, is always the same for a seed. */
export function body(alphabet: string, length: number, seed: number): string {
  let state = (seed * 2_654_435_761) >>> 0 || 1;
  return Array.from({ length }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return alphabet[(state >>> 0) % alphabet.length];
  }).join("");
}

export interface Sample {
  readonly kind: string;
  readonly name: string;
  /** What stands in a text, and which part of it is the secret. */
  readonly make: (seed: number) => { readonly text: string; readonly secret: string };
  /** Its beginning with too little behind it. */
  readonly tooShort: (seed: number) => string;
}

function format(kind: string, prefix: string, alphabet: string, length: number, suffix = ""): Sample {
  const build = (size: number, seed: number) => `${prefix}${fixed(alphabet, size, seed)}${suffix}`;
  return {
    kind,
    name: prefix,
    make: (seed) => ({ text: build(length, seed), secret: build(length, seed) }),
    tooShort: (seed) => build(Math.min(length - 1, 9), seed),
  };
}

/** A dash or underscore at either end would make it another word. */
function fixed(alphabet: string, size: number, seed: number): string {
  const inner = body(alphabet, size, seed);
  const edge = alphabet.replace(/[-_+/]/g, "");
  return size < 2 ? inner : body(edge, 1, seed) + inner.slice(2) + body(edge, 1, seed + 1);
}

function inside(
  kind: string,
  name: string,
  around: (seed: number) => readonly [before: string, secret: string],
): Sample {
  return {
    kind,
    name,
    make: (seed) => {
      const [before, secret] = around(seed);
      return { text: before + secret, secret };
    },
    tooShort: (seed) => {
      const [before, secret] = around(seed);
      return (before + secret.slice(0, 16)).replace(/[-_./+=]+$/, "");
    },
  };
}

/** Nothing but its length says what it is. */
function bare(kind: string, name: string, make: (seed: number) => string): Sample {
  return {
    kind,
    name,
    make: (seed) => ({ text: make(seed), secret: make(seed) }),
    tooShort: (seed) => make(seed).slice(0, 31),
  };
}

/** As bytes look that nobody chose. */
function random(length: number, seed: number): string {
  const kinds = [smalls, capitals, digits];
  return Array.from({ length }, (_, i) => body(kinds[(i + seed) % 3] ?? smalls, 1, seed * 101 + i + 1)).join("");
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

export const samples: readonly Sample[] = [
  ...["ghp_", "gho_", "ghu_", "ghs_", "ghr_"].map((prefix) => format("github-token", prefix, alnum, 36)),
  inside("github-token", "github_pat_", (seed) => [
    "",
    `github_pat_${body(alnum, 22, seed)}_${body(alnum, 59, seed + 1)}`,
  ]),
  ...[
    "glpat-",
    "gldt-",
    "glrt-",
    "glrtr-",
    "glcbt-",
    "glptt-",
    "glft-",
    "glimt-",
    "glagent-",
    "glsoat-",
    "glffct-",
    "gloas-",
  ].map((prefix) => format("gitlab-token", prefix, url64, 20)),
  inside("gitlab-token", "glpat- routable", (seed) => ["", `glpat-${fixed(url64, 27, seed)}.01.${body(hex, 9, seed)}`]),
  ...["AKIA", "ASIA", "ABIA", "ACCA"].map((prefix) => format("aws-key-id", prefix, base32, 16)),
  ...["IQoJb3JpZ2luX2Vj", "FwoGZXIvYXdzE"].map((prefix) => format("aws-session-token", prefix, base64, 400)),
  format("aws-bedrock-key", "ABSK", base64, 128),
  format("aws-bedrock-key", "bedrock-api-key-", base64, 200),
  bare("aws-secret-key", "40 letters", (seed) => random(40, seed)),
  bare("azure-storage-key", "64 bytes", (seed) => `${random(86, seed)}==`),
  bare("azure-key", "+ASb", (seed) => `${random(33, seed)}+ASbB${fixed(alnum, 5, seed)}=`),
  bare("azure-key", "AzSe", (seed) => `${random(42, seed)}AzSeA${fixed(alnum, 5, seed)}`),
  bare("azure-key", "AzFu", (seed) => `${random(44, seed)}AzFu${fixed(alnum, 5, seed)}A==`),
  bare("azure-key", "JQQJ99", (seed) => `${random(52, seed)}JQQJ99${fixed(alnum, 26, seed)}`),
  bare("azure-devops-token", "AZDO", (seed) => `${random(76, seed)}AZDO${fixed(alnum, 4, seed)}`),
  inside("aws-signature", "X-Amz-Signature", (seed) => ["X-Amz-Signature=", body(hex, 64, seed)]),
  inside("gcp-signature", "X-Goog-Signature", (seed) => ["X-Goog-Signature=", body(hex, 512, seed)]),
  ...["xoxa-", "xoxb-", "xoxp-", "xoxr-", "xoxs-", "xoxo-", "xoxe-", "xoxc-", "xoxd-", "xoxe.xoxp-", "xoxe.xoxb-"].map(
    (prefix) =>
      inside("slack-token", prefix, (seed) => [
        "",
        `${prefix}${body(digits, 12, seed)}-${body(digits, 12, seed + 1)}-${body(alnum, 24, seed)}`,
      ]),
  ),
  inside("slack-token", "xapp-", (seed) => [
    "",
    `xapp-1-A${body(base32, 10, seed)}-${body(digits, 13, seed)}-${body(hex, 64, seed)}`,
  ]),
  inside("slack-webhook", "hooks.slack.com", (seed) => [
    "https://hooks.slack.com/services/",
    `T${body(base32, 8, seed)}/B${body(base32, 8, seed + 1)}/${body(alnum, 24, seed)}`,
  ]),
  ...["discord.com", "discordapp.com"].map((host) =>
    inside("discord-webhook", host, (seed) => [
      `https://${host}/api/webhooks/${body(digits, 18, seed)}/`,
      fixed(url64, 68, seed),
    ]),
  ),
  inside("discord-token", "bot", (seed) => {
    const bot = Buffer.from(`1${body(digits, 17, seed)}`).toString("base64");
    return ["", `${bot}.G${body(alnum, 5, seed)}.${fixed(url64, 38, seed)}`];
  }),
  format("discord-token", "mfa.", url64, 84),
  inside("teams-webhook", "webhook.office.com", (seed) => [
    `https://acme.webhook.office.com/webhookb2/${uuid(seed)}@${uuid(seed + 1)}/`,
    `IncomingWebhook/${body(hex, 32, seed)}/${uuid(seed + 2)}`,
  ]),
  inside("telegram-token", "telegram", (seed) => [`1${body(digits, 8, seed)}:AA`, fixed(url64, 33, seed)]),
  ...["sk_live_", "sk_test_", "rk_live_", "rk_test_", "sk_prod_"].map((prefix) =>
    format("stripe-key", prefix, alnum, 24),
  ),
  format("webhook-secret", "whsec_", alnum, 32),
  ...["sk-ant-api03-", "sk-ant-oat01-", "sk-ant-admin01-"].map((prefix) => format("anthropic-key", prefix, url64, 95)),
  format("openrouter-key", "sk-or-v1-", hex, 64),
  ...["sk-proj-", "sk-svcacct-", "sk-admin-", "sk-None-"].map((prefix) => format("openai-key", prefix, url64, 74)),
  inside("api-key", "sk- of 2023", (seed) => ["", `sk-${body(alnum, 20, seed)}T3BlbkFJ${body(alnum, 20, seed + 1)}`]),
  ...["sk-", "sk-lf-", "sk-kimi-", "sk-cp-", "sk-sp-"].map((prefix) => format("api-key", prefix, alnum, 48)),
  format("api-key", "sk-", hex, 32),
  format("google-key", "AIza", url64, 35),
  format("google-token", "ya29.", url64, 120),
  format("google-token", "ya29.c.", url64, 200),
  format("google-secret", "GOCSPX-", url64, 28),
  format("google-token", "1//0", url64, 60),
  inside("azure-secret", "8Q~", (seed) => [`${body(alnum, 3, seed)}8Q~`, fixed(`${url64}.~`, 34, seed)]),
  inside("azure-signature", "sig=", (seed) => [
    "https://a.blob.core.windows.net/c/f?sv=2024-11-04&sig=",
    `${body(alnum, 40, seed)}%2B1s%3D`,
  ]),
  ...["nfp_", "nfc_", "nfo_", "nfu_", "nfb_"].map((prefix) => format("netlify-token", prefix, alnum, 36)),
  inside("netlify-hook", "build_hooks", (seed) => ["https://api.netlify.com/build_hooks/", body(hex, 24, seed)]),
  format("npm-token", "npm_", alnum, 36),
  format("pypi-token", "pypi-AgE", url64, 160),
  format("rubygems-key", "rubygems_", hex, 48),
  format("crates-token", "cio", alnum, 32),
  ...["dckr_pat_", "dckr_oat_"].map((prefix) => format("docker-token", prefix, url64, 27)),
  ...["hf_", "api_org_"].map((prefix) => format("huggingface-token", prefix, capitals + smalls, 34)),
  ...["SK", "AC"].map((prefix) => format("twilio-key", prefix, hex, 32)),
  inside("sendgrid-key", "SG.", (seed) => ["", `SG.${body(alnum, 22, seed)}.${fixed(url64, 43, seed)}`]),
  inside("brevo-key", "xkeysib-", (seed) => ["", `xkeysib-${body(hex, 64, seed)}-${body(alnum, 16, seed)}`]),
  format("mailgun-key", "key-", hex, 32),
  ...["dapi", "dkea", "dose"].map((prefix) => format("databricks-token", prefix, hex, 32)),
  ...["dop_v1_", "doo_v1_", "dor_v1_"].map((prefix) => format("digitalocean-token", prefix, hex, 64)),
  ...["dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."].map((prefix) =>
    format("doppler-token", prefix, alnum, 43),
  ),
  ...["lin_api_", "lin_oauth_"].map((prefix) => format("linear-key", prefix, alnum, 40)),
  format("notion-token", "ntn_", alnum, 46),
  format("notion-token", "secret_", alnum, 43),
  ...["shpat_", "shpca_", "shppa_", "shpss_", "shpua_"].map((prefix) => format("shopify-token", prefix, hex, 32)),
  ...["sq0atp-", "sq0csp-", "sq0idp-"].map((prefix) => format("square-token", prefix, url64, 43)),
  format("square-token", "EAAA", url64, 60),
  ...["hvs.", "hvb.", "hvr."].map((prefix) => format("vault-token", prefix, url64, 91)),
  format("age-key", "AGE-SECRET-KEY-1", digits + capitals, 58),
  inside("jwt", "eyJ", (seed) => [
    "",
    `${encode({ alg: "HS256", typ: "JWT" })}.${encode({ sub: body(digits, 8, seed), iat: seed })}.${fixed(url64, 43, seed)}`,
  ]),
  inside("jwt", "eyJ of Kubernetes", (seed) => [
    "",
    `${encode({ alg: "RS256", kid: body(url64, 43, seed) })}.${encode({ iss: "kubernetes/serviceaccount" })}.${fixed(url64, 342, seed)}`,
  ]),
  inside("onepassword-token", "ops_eyJ", (seed) => ["", `ops_eyJ${fixed(url64, 400, seed)}`]),
  inside("private-key", "PEM as base64", (seed) => [
    "",
    btoa(`-----BEGIN ${"PRIVATE"} KEY-----\n${body(base64, 240, seed)}\n`),
  ]),
  format("kubernetes-token", "sha256~", url64, 43),
  format("supabase-key", "sbp_", hex, 40),
  format("supabase-key", "sb_secret_", url64, 31),
  ...["vcp_", "vci_", "vca_", "vcr_", "vck_"].map((prefix) => format("vercel-token", prefix, alnum, 56)),
  format("vercel-token", "vercel_blob_rw_", alnum, 48),
  inside("cloudflare-key", "v1.0-", (seed) => ["", `v1.0-${body(hex, 24, seed)}-${body(hex, 146, seed)}`]),
  ...["cfut_", "cfat_", "cfk_"].map((prefix) => format("cloudflare-key", prefix, alnum, 48)),
  format("fly-token", "fo1_", url64, 43),
  ...["fm1r_", "fm1a_", "fm2_"].map((prefix) => format("fly-token", prefix, base64, 300)),
  format("replicate-token", "r8_", alnum, 37),
  format("groq-key", "gsk_", alnum, 52),
  format("xai-key", "xai-", alnum, 80),
  format("perplexity-key", "pplx-", alnum, 48),
  format("nvidia-key", "nvapi-", url64, 64),
  format("cerebras-key", "csk-", smalls + digits, 48),
  format("fireworks-key", "fw_", alnum, 24),
  format("tavily-key", "tvly-", alnum, 32),
  ...["ATATT3", "ATCTT3", "ATBB"].map((prefix) =>
    format("atlassian-token", prefix, alnum, prefix === "ATBB" ? 32 : 186),
  ),
  ...["glsa_", "glc_"].map((prefix) => format("grafana-token", prefix, alnum, 48)),
  ...["NRAK-", "NRRA-"].map((prefix) => format("newrelic-key", prefix, digits + capitals, 27)),
  ...["sntrys_", "sntryu_"].map((prefix) => format("sentry-token", prefix, hex, 64)),
  inside("postman-key", "PMAK-", (seed) => ["", `PMAK-${body(hex, 24, seed)}-${body(hex, 34, seed)}`]),
  format("heroku-key", "HRKU-", url64, 60),
  format("pulumi-token", "pul-", hex, 40),
  inside("terraform-token", ".atlasv1.", (seed) => [`${body(alnum, 14, seed)}.atlasv1.`, fixed(url64, 67, seed)]),
  ...["figd_", "figo_"].map((prefix) => format("figma-token", prefix, url64, 43)),
  ...["pscale_tkn_", "pscale_pw_", "pscale_oauth_"].map((prefix) => format("planetscale-token", prefix, url64, 43)),
  ...["auth", "api", "client", "scim", "webhook"].map((use) => format("tailscale-key", `tskey-${use}-`, alnum, 48)),
  ...["CCIPAT_", "CCIPRJ_"].map((prefix) => format("circleci-token", prefix, alnum, 63)),
  format("buildkite-token", "bkua_", hex, 40),
  format("artifactory-token", "AKCp", alnum, 69),
  ...["sl.u.", "sl.B"].map((prefix) => format("dropbox-token", prefix, url64, 140)),
  ...["pat-na1-", "pat-na2-", "pat-eu1-"].map((prefix) =>
    inside("hubspot-token", prefix, (seed) => ["", `${prefix}${uuid(seed)}`]),
  ),
];

export function uuid(seed: number): string {
  const text = body(hex, 32, seed);
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join("-");
}

/** Ways in which a token stands in a text. */
export const surroundings: Readonly<Record<string, (token: string) => string>> = {
  "an env line": (token) => `export SERVICE_VALUE=${token}\n`,
  JSON: (token) => `{"value": "${token}", "other": 1}`,
  "escaped JSON": (token) => JSON.stringify(JSON.stringify({ value: `\n${token}\n` })),
  YAML: (token) => `service:\n  value: ${token}\n  region: eu\n`,
  "a curl command": (token) => `curl -s -H 'X-Service: ${token}' https://api.example.com/v1 | jq .`,
  "a line of a log": (token) => `2026-01-02T03:04:05Z WARN client: rejected ${token}, trying again`,
  "a string in code": (token) => `const client = connect("${token}");`,
  "a line of a diff": (token) => `-${token}\n+removed`,
  "a line with its number": (token) => `  12\t${token}\n`,
  "a line that a search found": (token) => `src/a.ts:12:${token}`,
  "colours on both sides": (token) => `value \u001b[1;31m${token}\u001b[0m end`,
  "written colours": (token) => `"value \\u001b[31m${token}\\u001b[0m end"`,
  "an encoded URL": (token) => `https://example.com/?next=%2Fa%3Fv%3D${token}%26b%3D1`,
  Markdown: (token) => `Use \`${token}\` here.`,
};
