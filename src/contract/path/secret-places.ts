// The one list of keys, logins, histories and other people's data: policy asks before reads, the sandbox hides them, searches and the
// index skip them. `secret-path.ts` matches paths against it.

/** Everything below these, at any depth: keys, cloud logins, wallets, key rings, browser and mail profiles. */
export const secretFolders: readonly string[] = [
  ...[".ssh", ".aws", ".gnupg", ".kube", ".azure", ".gcloud", ".oci", ".bluemix", ".password-store", ".secrets"],
  ...[".mozilla", ".thunderbird", ".bitcoin", ".ethereum", ".electrum", ".putty", ".op", ".1password", ".pki"],
];

/** File names at any depth; patterns are lower case. */
export const secretNames: readonly RegExp[] = [
  /^\.env(?:rc|file|$|[._-])/,
  /^\.dev\.vars(?:$|\.)/,
  /\.env$/,
  /^id_(?:[^.]+|(?:rsa|dsa|ecdsa|ed25519).*)$/s,
  /^.+[-_](?:rsa|dsa|ecdsa|ed25519)$/s,
  /^(?:.*[-_.])?(?:deploy|ssh)[-_]key$/s,
  /^env\.(?:local|prod(?:uction)?|stag(?:e|ing)|dev(?:elopment)?)$/,
  /^(?:.*[-_.])?(?:private|secret)(?:[-_.]?key)?\.(?:asc|gpg|pgp)$/s,
  /^ssh_host_\w+_key$/,
  /\.(?:pem|key|p8|p12|pfx|pkcs8|pkcs12|jks|jceks|bks|keystore|kdbx?|ppk|ovpn|keytab|agekey|keychain(?:-db)?)$/,
  /^[._]netrc$/,
  /^\.(?:npmrc|pypirc|pgpass|htpasswd|dockercfg|dockerconfigjson|git-credentials|yarnrc\.yml|my\.cnf|mylogin\.cnf)$/,
  /^\.(?:s3cfg|boto|databrickscfg|terraformrc|rclone\.conf|passwd-s3fs|wakatime\.cfg|netrc\.gpg)$/,
  /^\.(?:clasprc\.json|sentryclirc|ftpconfig|renviron|secret\.local|runtimeconfig\.json)$/,
  /^(?:token\.(?:json|pickle)|sftp(?:-config)?\.json|local\.settings\.json|mnemonic\.txt|utc--\d{4}-.*)$/s,
  /^(?:key|keystore|signing)\.properties$/,
  /^(?:htpasswd|pgpass\.conf|kaggle\.json|rclone\.conf|ngrok\.yml|wallet\.dat|secring\.gpg|cookies\.(?:txt|sqlite)|login data|key[34]\.db)$/,
  /^\.(?:[a-z0-9]+[-_])*(?:token|password|passwd|api[-_]?key)$/,
  /^(?:passwords?|passwd|api[-_]?keys?|tokens?)\.(?:txt|csv|xlsx?)$/,
  /^(?:(?:.*[-_.])?access[-_]?keys|rootkey)\.csv$/s,
  /^(?:.*[-_.])?(?:oauth|access|refresh)[-_]?tokens?\.(?:json|txt)$/s,
  /^(?:\.secret|\.?api[-_]?key|wg\d+\.conf)$/,
  /^(?:\.?|.*[-_.])vault[-_]pass(?:word)?(?:\.\w+)?$/s,
  /^(?:.*[-_.])?credentials?(?:[-_.](?:local|dev(?:elopment)?|test|stag(?:e|ing)|prod(?:uction)?))?(?:\.(?:json|ya?ml|toml|ini|xml|properties|csv|txt|db|enc|yml\.enc|tfrc\.json|sbt))?$/s,
  /^(?:.*[-_.])?secrets?(?:[-_.](?:local|dev(?:elopment)?|test|stag(?:e|ing)|prod(?:uction)?))?\.(?:json|ya?ml|toml|ini|xml|properties|env|txt|enc|tfvars|exs|plist)$/s,
  /^(?:.*[-_])?(?:client[-_]?secrets?|service[-_]?account(?:[-_]?keys?)?|firebase[-_]?adminsdk|gcp-key)(?:[-_.].*)?\.json$/s,
  /^(?:.*[-_.])?kubeconfig(?:\.ya?ml)?$/s,
  /\.tfstate(?:\.backup|\.\d+\.backup)?$/,
  /\.tfvars(?:\.json)?$/,
  /^\.(?:\w+[-_])*z?(?:history|histfile|lesshst|viminfo)$/,
];

/** Templates and code, committed for people to read. */
export const sampleNames: readonly RegExp[] = [
  /[._-](?:example|sample|template|tpl|dist|defaults?|schema)s?(?:\.(?:env|json|ya?ml|toml|tfvars|md|txt))?$/,
  /^(?:example|sample|template)\.(?:env|tfvars)$/,
  /\.(?:d\.ts|pub)$/,
];

/** Matched with their folder, because the name alone is common. */
export const secretTails: readonly RegExp[] = [
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
  /(?:^|\/)nuget\/nuget\.config$/,
  /(?:^|\/)\.(?:fly|snowsql)\/config(?:\.ya?ml)?$/,
  /(?:^|\/)\.hex\/hex\.config$/,
  /(?:^|\/)huggingface\/(?:token|stored_tokens)$/,
  /(?:^|\/)fish\/fish_history$/,
  /(?:^|\/)\.dbt\/profiles\.ya?ml$/,
  // The Django template's: `.envs/.production/.postgres`.
  /(?:^|\/)\.envs\/\.[^/]+\/\.[^/]+$/,
  // Docker Compose secrets.
  /(?:^|\/)secrets\/[^/]+\.txt$/,
  /(?:^|\/)(?:group_vars|host_vars)\/(?:.+\/)?vault(?:\.ya?ml)?$/s,
];

/** Only below a home directory, as files or folders: in a project these names mean something else. */
export const homeSecrets: readonly string[] = [
  ...[".age", ".config/age", ".config/sops", ".config/op", ".config/keybase", ".config/bitwarden", ".config/keepassxc"],
  ...[".config/containers", ".config/heroku", ".config/helm", ".config/rclone", ".config/configstore"],
  ...[".config/netlify", ".docker", ".fly", ".terraform.d", ".snowsql", ".config/gh", ".config/glab-cli"],
  ...[".config/vercel", ".config/turborepo", ".local/share/com.vercel.cli", ".config/.wrangler", ".cloudflared"],
  ...[".ngrok2", ".config/ngrok", ".railway", ".supabase", ".expo", ".sentryclirc", ".config/hcloud", ".config/scw"],
  ...[".config/linode-cli", ".twilio-cli", ".nuget/nuget", ".kaggle", ".huggingface", ".bundle/config"],
  ...[".luarocks/upload_config.lua", ".condarc", ".local/share/uv/credentials", ".config/pip", ".pip/pip.conf"],
  ...[".subversion/auth", ".hgrc", ".jupyter", ".msmtprc", ".cvspass", ".config/psql", ".mongorc.js", ".dbshell"],
  ...[".psqlrc"],
  ".local/share/fish",
  // Browsers, mail and messengers: their sessions open everything else.
  ...[".config/bravesoftware", ".config/slack", ".config/discord", ".config/signal", ".config/element", ".var/app"],
  ...[".cache/mozilla", ".cache/thunderbird", ".cache/google-chrome", ".cache/chromium", ".cache/bravesoftware"],
  ...[".cache/microsoft-edge", ".cache/evolution", ".cache/gnome-keyring", ".xauthority", ".iceauthority"],
  ".config/solana",
  ...[".claude", ".claude.json", ".codex", ".gemini", ".config/github-copilot", ".config/opencode"],
  ".local/share/opencode",
];

/** Readable by root, which a confined command is if we are. */
export const machineSecrets: readonly string[] = [
  ...["/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-", "/etc/ssl/private", "/etc/sudoers"],
  ...["/etc/sudoers.d", "/etc/wireguard", "/etc/kubernetes", "/etc/NetworkManager/system-connections"],
  ...["/etc/krb5.keytab", "/etc/wpa_supplicant", "/etc/ppp", "/etc/openvpn", "/var/lib/docker", "/var/lib/containerd"],
  ...["/var/lib/kubelet", "/var/backups", "/run/secrets", "/var/run/secrets", "/etc/letsencrypt"],
  ...["/etc/pki/tls/private", "/etc/dovecot/private", "/etc/ipsec.secrets", "/etc/ipsec.d/private", "/etc/swanctl"],
  ...["/etc/rndc.key", "/etc/bind/rndc.key", "/etc/postfix/sasl_passwd", "/etc/exim4/passwd.client"],
  ...["/etc/mysql/debian.cnf", "/etc/security/opasswd", "/etc/puppetlabs/puppet/ssl", "/etc/salt/pki", "/etc/chef"],
  ...["/etc/docker/key.json", "/etc/rancher", "/var/lib/rancher", "/var/lib/etcd", "/var/lib/vault"],
  // Provisioning data, known networks and other people's data.
  ...["/var/lib/cloud", "/var/lib/NetworkManager", "/var/lib/iwd", "/var/lib/bluetooth", "/var/lib/tailscale"],
  ...["/var/lib/sss/secrets", "/var/lib/samba/private", "/var/lib/postgresql", "/var/lib/pgsql", "/var/lib/mysql"],
  ...["/var/lib/mongodb", "/var/lib/redis", "/var/mail", "/var/spool/mail", "/var/spool/cron", "/var/log/journal"],
  ...["rsa", "ecdsa", "ed25519", "dsa"].map((kind) => `/etc/ssh/ssh_host_${kind}_key`),
];

/** The kernel's view of processes, memory and disks. */
export const kernelSecrets: readonly RegExp[] = [
  /^\/proc\/[^/]+\/(?:task\/[^/]+\/)?(?:environ|mem|auxv|maps|smaps|pagemap|stack|syscall)$/,
  /^\/proc\/(?:kcore|kmem|keys)$/,
  /^\/dev\/(?:mem|kmem|port|sd[a-z]\d*|nvme\w+|vd[a-z]\d*|dm-\d+)$/,
];

/** Environment variables that point to such files, wherever they are. */
export const secretVariables: readonly string[] = [
  ...["SSH_AUTH_SOCK", "XAUTHORITY", "GNUPGHOME", "AWS_SHARED_CREDENTIALS_FILE", "AWS_CONFIG_FILE", "HISTFILE"],
  ...["GOOGLE_APPLICATION_CREDENTIALS", "CLOUDSDK_CONFIG", "AZURE_CONFIG_DIR", "DOCKER_CONFIG", "NETRC", "PGPASSFILE"],
  ...["NPM_CONFIG_USERCONFIG", "XDG_RUNTIME_DIR", "KUBECONFIG"],
];
