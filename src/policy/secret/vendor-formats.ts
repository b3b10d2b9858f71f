/** One format: a fixed prefix, and the text after it. A group `secret` ends the match; without it the whole match is secret. */
export interface Format {
  readonly kind: string;
  /** Prefixes, separated by blanks. */
  readonly starts: string;
  /** For prefixes that are part of ordinary words: a cheap check of the text after the prefix. */
  readonly look?: string;
  readonly rest: string;
  readonly check?: "random" | "jwt" | "pem";
}

/** The end of a token of fixed length: inside something longer it is not that token. */
const end = "(?![A-Za-z0-9])";
const hex = (length: number): string => `[0-9a-f]{${length}}${end}`;
const alnum = (least: number): string => `[A-Za-z0-9]{${least},255}${end}`;
const word = (least: number): string => String.raw`[\w-]{${least},}`;

/** The first three base64 letters of numbers with two or more digits. */
function digitsInBase64(): string {
  const firsts = ["MT", "Mj", "Mz", "ND", "NT", "Nj", "Nz", "OD", "OT"];
  return firsts.flatMap((first) => [..."AEIMQUYcgk"].map((third) => first + third)).join(" ");
}

/** Formats with a distinctive prefix, as published by the vendors. */
export const formats: readonly Format[] = [
  { kind: "github-token", starts: "ghp_ gho_ ghu_ ghs_ ghr_", rest: alnum(36) },
  { kind: "github-token", starts: "github_pat_", rest: String.raw`\w{50,255}` },
  {
    kind: "gitlab-token",
    starts: "glpat- gldt- glrt- glrtr- glcbt- glptt- glft- glimt- glagent- glsoat- glffct- gloas-",
    rest: String.raw`[\w-]{20,300}(?:\.[0-9a-z]{2}\.?[0-9a-z]{7,9})?`,
  },
  { kind: "aws-key-id", starts: "AKIA ASIA ABIA ACCA", rest: `[A-Z2-7]{16}${end}` },
  // The file that the AWS console exports: id and secret side by side.
  {
    kind: "aws-secret-key",
    starts: "AKIA ASIA",
    rest: String.raw`[A-Z2-7]{16}[,;:\t "']{1,8}(?<secret>[A-Za-z0-9+/]{40})(?![\w+/=-])`,
  },
  {
    kind: "aws-session-token",
    starts: "IQoJb3JpZ2luX2Vj AgoJb3JpZ2luX2Vj FwoGZXIvYXdzE FQoGZXIvYXdzE",
    rest: "(?:[A-Za-z0-9+/]|%2[bBfF]){80,4096}(?:=|%3[dD]){0,2}",
  },
  { kind: "aws-bedrock-key", starts: "ABSK", look: "[A-Za-z0-9+/]{100}", rest: "[A-Za-z0-9+/]{100,300}={0,2}" },
  { kind: "aws-bedrock-key", starts: "bedrock-api-key-", rest: "[A-Za-z0-9+/]{60,4096}={0,2}" },
  { kind: "aws-signature", starts: "X-Amz-Signature= Signature=", rest: `(?<secret>${hex(64)})` },
  { kind: "gcp-signature", starts: "X-Goog-Signature=", rest: "(?<secret>[0-9a-f]{128,1024})" },
  {
    kind: "slack-token",
    starts: "xoxa- xoxb- xoxp- xoxr- xoxs- xoxo- xoxe- xoxc- xoxd- xoxe.xoxb- xoxe.xoxp-",
    rest: String.raw`(?=[\w-]{0,40}[0-9])[\w-]{20,}`,
  },
  { kind: "slack-token", starts: "xapp-", rest: "[0-9]-[A-Z0-9]{6,20}-[0-9]{6,20}-[0-9a-f]{32,128}" },
  {
    kind: "slack-webhook",
    starts: "hooks.slack.com/",
    rest: String.raw`(?:services|workflows|triggers)/(?<secret>[A-Z][\w/]{20,200})`,
    check: "random",
  },
  {
    kind: "discord-webhook",
    starts: "discord.com/api/ discordapp.com/api/",
    rest: String.raw`(?:v[0-9]{1,2}/)?webhooks/[0-9]{15,21}/(?<secret>[\w-]{60,80})`,
  },
  // The bot's number in base64, the time, and the signature.
  {
    kind: "discord-token",
    starts: digitsInBase64(),
    look: String.raw`[A-Za-z0-9+/]{15,27}\.`,
    rest: String.raw`[A-Za-z0-9+/]{15,27}\.[\w-]{6}\.[\w-]{27,40}(?![\w-])`,
  },
  {
    kind: "discord-token",
    starts: "mfa.",
    look: String.raw`[\w-]{60}`,
    rest: String.raw`[\w-]{60,120}`,
    check: "random",
  },
  {
    kind: "teams-webhook",
    starts: "webhook.office.com/webhookb2/",
    rest: String.raw`[0-9a-f-]{36}@[0-9a-f-]{36}/(?<secret>IncomingWebhook/[\w/-]{60,200})`,
  },
  { kind: "telegram-token", starts: ":AA", rest: String.raw`(?<=(?<![0-9])[0-9]{8,11}:AA)(?<secret>[\w-]{33})${end}` },
  { kind: "stripe-key", starts: "sk_live_ sk_test_ rk_live_ rk_test_ sk_prod_", rest: alnum(16) },
  { kind: "webhook-secret", starts: "whsec_", rest: "[A-Za-z0-9+/]{24,128}={0,2}", check: "random" },
  { kind: "anthropic-key", starts: "sk-ant-", rest: word(24), check: "random" },
  { kind: "openrouter-key", starts: "sk-or-", rest: word(32), check: "random" },
  { kind: "openai-key", starts: "sk-proj- sk-svcacct- sk-admin- sk-None-", rest: word(32), check: "random" },
  // OpenAI's older keys, and those of the many vendors that copied the format.
  {
    kind: "api-key",
    starts: "sk-",
    look: "[A-Za-z0-9_]{8}",
    rest: `[A-Za-z0-9]{32,}${end}`,
    check: "random",
  },
  { kind: "api-key", starts: "sk-lf- sk-kimi- sk-cp- sk-sp-", rest: word(32), check: "random" },
  { kind: "google-key", starts: "AIza", rest: String.raw`[\w-]{35}${end}`, check: "random" },
  { kind: "google-token", starts: "ya29.", rest: String.raw`(?:[a-z]\.)?[\w-]{20,}`, check: "random" },
  { kind: "google-secret", starts: "GOCSPX-", rest: word(20) },
  { kind: "google-token", starts: "1//0", rest: word(30), check: "random" },
  {
    kind: "azure-secret",
    starts: "7Q~ 8Q~",
    rest: String.raw`(?<=[\w.~-]{3}[78]Q~)(?<secret>[\w.~-]{31,34})(?![\w~-])`,
  },
  {
    kind: "azure-signature",
    starts: "sig=",
    rest: String.raw`(?<secret>(?:[\w+/-]|%2[bBfF]){43,100}(?:=|%3[dD]){0,2})`,
    check: "random",
  },
  { kind: "netlify-token", starts: "nfp_ nfc_ nfo_ nfu_ nfb_", look: "[A-Za-z0-9]{32}", rest: alnum(32) },
  {
    kind: "netlify-hook",
    starts: "api.netlify.com/build_hooks/",
    rest: `(?<secret>${hex(24)})`,
  },
  { kind: "npm-token", starts: "npm_", rest: `[A-Za-z0-9]{36}${end}` },
  { kind: "pypi-token", starts: "pypi-AgE", rest: word(50) },
  { kind: "rubygems-key", starts: "rubygems_", rest: hex(48) },
  { kind: "crates-token", starts: "cio", look: "[A-Za-z0-9]{32}", rest: `[A-Za-z0-9]{32}${end}`, check: "random" },
  { kind: "docker-token", starts: "dckr_pat_ dckr_oat_", rest: word(20) },
  { kind: "huggingface-token", starts: "hf_ api_org_", look: "[A-Za-z0-9]{34}", rest: alnum(34) },
  { kind: "twilio-key", starts: "SK AC", look: "[0-9a-f]{32}", rest: hex(32) },
  { kind: "sendgrid-key", starts: "SG.", rest: String.raw`[\w-]{16,32}\.[\w-]{32,64}` },
  { kind: "brevo-key", starts: "xkeysib-", rest: "[0-9a-f]{64}-[A-Za-z0-9]{16}" },
  { kind: "mailgun-key", starts: "key-", look: "[0-9a-f]{32}", rest: hex(32) },
  { kind: "databricks-token", starts: "dapi dkea dose", look: "[0-9a-f]{32}", rest: `[0-9a-f]{32}(?:-[0-9])?${end}` },
  { kind: "digitalocean-token", starts: "dop_v1_ doo_v1_ dor_v1_", rest: hex(64) },
  { kind: "doppler-token", starts: "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.", rest: String.raw`[\w.-]{40,120}` },
  { kind: "linear-key", starts: "lin_api_ lin_oauth_", rest: alnum(32) },
  { kind: "notion-token", starts: "ntn_", rest: alnum(40) },
  { kind: "notion-token", starts: "secret_", look: "[A-Za-z0-9]{43}", rest: `[A-Za-z0-9]{43}${end}` },
  { kind: "shopify-token", starts: "shpat_ shpca_ shppa_ shpss_ shpua_", rest: `[0-9a-fA-F]{32}${end}` },
  { kind: "square-token", starts: "sq0atp- sq0csp- sq0idp-", rest: word(22) },
  {
    kind: "square-token",
    starts: "EAAA",
    look: String.raw`[\w-]{60}`,
    rest: String.raw`(?<![+/]EAAA)[\w-]{60}(?![\w+/-])`,
    check: "random",
  },
  { kind: "vault-token", starts: "hvs. hvb. hvr.", rest: word(24), check: "random" },
  { kind: "age-key", starts: "AGE-SECRET-KEY-1", rest: `[0-9A-Z]{58}${end}` },
  { kind: "jwt", starts: "eyJ", rest: String.raw`[\w-]{10,}\.[\w-]{4,}\.[\w-]*(?:\.[\w-]*\.[\w-]+)?`, check: "jwt" },
  { kind: "onepassword-token", starts: "ops_eyJ", rest: String.raw`[\w+/-]{100,4096}={0,2}` },
  // Keys without their markers: the first bytes of OpenSSH keys, and the first fields of PKCS 1, SEC 1 and PKCS 8.
  {
    kind: "private-key",
    starts:
      "b3BlbnNzaC1rZXktdjEA MC4CAQAwBQYDK2V MEcCAQAwBQYDK2V MHcCAQEEI MIGkAgEBBD MIHcAgEBBEI MIGHAgEAMB MIG2AgEAMB MIHuAgEAMB",
    rest: "[A-Za-z0-9+/]{24,65536}={0,2}",
  },
  {
    kind: "private-key",
    starts: "MII",
    look: "[A-Za-z0-9+/]{3}(?:IBA(?:AK[BC]|DAN)|jBABgkqhkiG9w0BBQ|TBOBgkqhkiG9w0BBQ|DBOBgkqhkiG9w0BBQ)",
    rest: "[A-Za-z0-9+/]{24,65536}={0,2}",
  },
  { kind: "private-key", starts: "LS0tLS1CRUdJTi", rest: "[A-Za-z0-9+/]{40,65536}={0,2}", check: "pem" },
  { kind: "kubernetes-token", starts: "sha256~", rest: String.raw`[\w-]{43}${end}` },
  { kind: "supabase-key", starts: "sbp_", rest: `(?:v0_)?${hex(40)}` },
  { kind: "supabase-key", starts: "sb_secret_", rest: word(20) },
  { kind: "vercel-token", starts: "vcp_ vci_ vca_ vcr_ vck_", rest: alnum(24), check: "random" },
  { kind: "vercel-token", starts: "vercel_blob_rw_", rest: String.raw`\w{30,80}` },
  {
    kind: "cloudflare-key",
    starts: "v1.0-",
    look: "[0-9a-f]{20}",
    rest: "[0-9a-f]{20,32}-[0-9a-f]{100,200}",
  },
  { kind: "cloudflare-key", starts: "cfut_ cfat_ cfk_", rest: alnum(40), check: "random" },
  { kind: "fly-token", starts: "fo1_", look: String.raw`[\w-]{40}`, rest: String.raw`[\w-]{43}${end}` },
  {
    kind: "fly-token",
    starts: "fm1r_ fm1a_ fm2_",
    rest: String.raw`[\w+/-]{80,4096}={0,2}(?:,fm[12][ar]?_[\w+/-]{80,4096}={0,2}){0,8}`,
  },
  { kind: "replicate-token", starts: "r8_", look: "[A-Za-z0-9]{37}", rest: `[A-Za-z0-9]{37}${end}` },
  { kind: "groq-key", starts: "gsk_", rest: alnum(40) },
  { kind: "xai-key", starts: "xai-", look: "[A-Za-z0-9]{60}", rest: alnum(60) },
  { kind: "perplexity-key", starts: "pplx-", rest: alnum(40) },
  { kind: "nvidia-key", starts: "nvapi-", rest: word(50) },
  { kind: "cerebras-key", starts: "csk-", look: "[a-z0-9]{40}", rest: alnum(40), check: "random" },
  { kind: "fireworks-key", starts: "fw_", look: "[A-Za-z0-9]{22}", rest: alnum(22), check: "random" },
  { kind: "tavily-key", starts: "tvly-", rest: word(24), check: "random" },
  {
    kind: "atlassian-token",
    starts: "ATATT3 ATCTT3 ATBB",
    look: String.raw`[\w-]{28}`,
    rest: String.raw`[\w-]{28,255}(?:=[0-9A-F]{8})?`,
    check: "random",
  },
  { kind: "grafana-token", starts: "glsa_ glc_", rest: String.raw`[\w+/-]{32,400}={0,2}`, check: "random" },
  { kind: "newrelic-key", starts: "NRAK- NRRA-", rest: "[A-Z0-9]{27,42}" },
  { kind: "sentry-token", starts: "sntrys_ sntryu_", rest: String.raw`[\w+/-]{60,512}={0,2}` },
  { kind: "postman-key", starts: "PMAK-", rest: "[0-9a-f]{24}-[0-9a-f]{34}" },
  { kind: "heroku-key", starts: "HRKU-", rest: word(36) },
  { kind: "pulumi-token", starts: "pul-", look: "[0-9a-f]{40}", rest: hex(40) },
  {
    kind: "terraform-token",
    starts: ".atlasv1.",
    rest: String.raw`(?<=\w{14}\.atlasv1\.)(?<secret>[\w-]{60,80})`,
  },
  { kind: "figma-token", starts: "figd_ figo_", rest: word(40) },
  { kind: "planetscale-token", starts: "pscale_tkn_ pscale_pw_ pscale_oauth_", rest: String.raw`[\w.-]{32,64}` },
  { kind: "tailscale-key", starts: "tskey-", rest: String.raw`(?:auth|api|client|scim|webhook)-[\w-]{20,80}` },
  { kind: "circleci-token", starts: "CCIPAT_ CCIPRJ_", rest: String.raw`\w{40,80}` },
  { kind: "buildkite-token", starts: "bkua_", rest: hex(40) },
  { kind: "artifactory-token", starts: "AKCp", look: "[A-Za-z0-9]{60}", rest: alnum(60) },
  { kind: "dropbox-token", starts: "sl.u. sl.B", rest: word(100), check: "random" },
  {
    kind: "hubspot-token",
    starts: "pat-na1- pat-eu1- pat-na2-",
    rest: "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
  },
];
