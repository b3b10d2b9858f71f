import type { TextKey } from "../../contract/text/catalogue.ts";

interface Topic {
  readonly about: TextKey;
  readonly rows: readonly (readonly [left: string, about: TextKey])[];
}

export const TOPICS: Readonly<Record<string, Topic>> = {
  "exit-codes": {
    about: "cli.topic.exit_codes",
    rows: [
      ["0", "cli.exit.0"],
      ["1", "cli.exit.1"],
      ["2", "cli.exit.2"],
      ["3", "cli.exit.3"],
      ["4", "cli.exit.4"],
      ["5", "cli.exit.5"],
      ["6", "cli.exit.6"],
      ["7", "cli.exit.7"],
      ["8", "cli.exit.8"],
      ["70", "cli.exit.70"],
      ["130", "cli.exit.130"],
    ],
  },
  environment: {
    about: "cli.topic.environment",
    rows: [
      ["CODER_HOME", "cli.env.home"],
      ["CODER_MODEL", "cli.env.model"],
      ["CODER_BASE_URL", "cli.env.base_url"],
      ["CODER_API_KEY", "cli.env.api_key"],
      ["LC_ALL LC_MESSAGES LANG", "cli.env.lang"],
      ["NO_COLOR", "cli.env.no_color"],
      ["HTTPS_PROXY HTTP_PROXY NO_PROXY", "cli.env.proxy"],
      ["NODE_EXTRA_CA_CERTS SSL_CERT_FILE", "cli.env.ca"],
    ],
  },
  files: {
    about: "cli.topic.files",
    rows: [
      ["~/.coder/config.json", "cli.file.config"],
      ["~/.coder/keys.json", "cli.file.keys"],
      ["~/.coder/coder.db", "cli.file.db"],
      ["~/.coder/log/internal.log", "cli.file.log"],
      ["~/.coder/cache/", "cli.file.cache"],
      [".coder/config.json", "cli.file.project"],
      [".coder/sessions/ID.json", "cli.file.snapshots"],
      [".coder/output/", "cli.file.output"],
    ],
  },
};
