import { expect, test } from "bun:test";
import { redactor } from "../../../src/policy/redact.ts";
import { alnum, body, uuid } from "./corpus.ts";

const redact = redactor([]);

const token = body(alnum, 24, 7);
const hash = (scheme: string) => `$${scheme}$${body(alnum, 8, 1)}$${body(alnum, 86, 2)}`;
const kinds = (text: string) => text.replace(/\[REDACTED:([a-z-]+):[0-9a-f]{8}\]/g, "<$1>");

/** What `<…>` stands for: a password that a person made up, a token that a machine made, or what is written out. */
type Row = readonly [text: string, secret: string, kind: string];

function check(rows: readonly Row[]): void {
  const shown = rows.map(([text, secret]) => kinds(redact(text.replaceAll("@@", secret)).text));
  expect(shown).toEqual(rows.map(([text, , kind]) => text.replaceAll("@@", `<${kind}>`)));
}

const pw = (text: string): Row => [text, "hunter2", "password"];
const key = (text: string): Row => [text, token, "secret"];

test("[TP-6] passwords and keys are found in environment lines, as every tool prints them", () => {
  check([
    ...[
      "DB_PASSWORD=@@",
      "export PGPASSWORD=@@",
      "set DB_PASSWORD=@@",
      "12\tMYSQL_PWD=@@",
      "config/.env:12:DB_PASSWORD=@@",
    ].map(pw),
    ...[
      "+ADMIN_PASSWD=@@",
      "docker run -e DB_PASSWORD=@@ img",
      "PASSWORD='@@' npm start",
      'PASSPHRASE="@@"',
      "PASSWORD2=@@",
    ].map(pw),
    ...[
      "TOKEN=@@",
      "API_KEY=@@",
      "SECRET_KEY_BASE=@@",
      "  34\tAWS_SECRET_ACCESS_KEY=@@\n",
      "src/.env-12-GH_TOKEN=@@",
      "ENV API_TOKEN @@",
    ].map(key),
    ...[
      "STRIPE_SECRET=@@",
      "CREDENTIALS=@@",
      "ENCRYPTION_KEY=@@",
      "ACCOUNT_KEY=@@\r\nNEXT=1",
      "AWS_SESSION_TOKEN=@@",
      "setx APP_KEY @@",
    ].map(key),
    ["PASSWORD='@@'", "correct horse battery staple", "password"],
    ["DB_PASSWORD=@@", "opensesame", "password"],
    ["DB_PASSWORD=@@", "P@ss(w0rd)$1;", "password"],
    ["DB_PASSWORD=@@", "пароль1", "password"],
    ["ADMIN_TOKEN=@@", "opensesame-please", "secret"],
  ]);
});

test("[TP-6] passwords and keys are found in configuration files of every usual form", () => {
  check([
    ...[
      "password: @@",
      "  db_password: @@ # production",
      "password=@@",
      "db.password = @@",
      'password = "@@"',
      "Password: @@",
    ].map(pw),
    ...[
      "- name: DB_PASSWORD\n  value: @@\n",
      '{"name":"DB_PASSWORD","value":"@@"}',
      "<password>@@</password>",
      "ansible_become_pass: @@",
    ].map(pw),
    ...[
      "password: >-\n  @@\n",
      "3\tpassword: |\n4\t  @@\n",
      'passwd="@@"',
      "env: { DB_PASSWORD: '@@' }",
      "<db:password>@@</db:password>",
    ].map(pw),
    ...[
      "api_key: @@",
      "apiKey = '@@'",
      '"client_secret": "@@"',
      '<add key="ApiKey" value="@@"/>',
      "//npm.example.com/:_authToken=@@",
    ].map(key),
    ...[
      "_auth=@@",
      "twilio_auth_token: @@",
      "secret-key=@@",
      "signing.key=@@",
      "private-token: '@@'",
      "  accessToken: @@",
    ].map(key),
    ...["密码：@@", "口令: @@", "数据库密码=@@"].map(pw),
    key("密钥：@@"),
    ["\npassword: @@\n", "open#sesame", "password"],
    ["db_password=@@\nuser=me", "opensesame", "password"],
    ["data:\n  password: @@\n", btoa("hunter2"), "password"],
    ["data:\n  password: @@\n", btoa("hunters"), "password"],
    ["spring.datasource.password=@@", "Tr0ub4dor&3", "password"],
    ["//npm.example.com/:_authToken=@@", uuid(5), "secret"],
  ]);
});

test("[TP-6] passwords and keys are found in JSON and code, escaped or not", () => {
  check([
    ...[
      '{"password":"@@"}',
      String.raw`{\"password\":\"@@\"}`,
      String.raw`{\\\"password\\\": \\\"@@\\\"}`,
      "{'password': '@@'}",
    ].map(pw),
    ...[
      'let password: string = "@@";',
      'password := "@@"',
      ':password => "@@"',
      "connect(host='x', password='@@')",
      'const dbPass = "@@"',
    ].map(pw),
    ...[
      'static PASSWORD: &\'static str = "@@";',
      'password = b"@@"',
      "password = `@@`",
      "ALTER USER me WITH PASSWORD '@@'",
    ].map(pw),
    ...["CREATE USER me IDENTIFIED BY '@@'", "create user me identified with mysql_native_password by '@@'"].map(pw),
    ...[
      "const token = '@@';",
      'headers["X-Api-Key"] = "@@"',
      'headers.set("X-Api-Key", "@@")',
      "process.env.API_KEY || '@@'",
    ].map(key),
    ...[
      "os.getenv('API_KEY', '@@')",
      'process.env.TOKEN ?? "@@"',
      '"log": "TOKEN=@@\\nNEXT=1"',
      "%22token%22%3A%22@@%22",
      "&quot;token&quot;:&quot;@@&quot;",
    ].map(key),
    ['{"password":"@@","x":1}', String.raw`a\"b9c!d`, "password"],
    ['{"password":"@@","x":1}', String.raw`open1\\`, "password"],
  ]);
});

test("[TP-6] passwords and keys are found in commands", () => {
  check([
    ...[
      "mysql -u root -p'@@' db",
      "mysql -uroot -p@@ db",
      "mysqldump --password=@@ db",
      "sshpass -p @@ ssh host",
      "tool --password @@ --host x",
    ].map(pw),
    ...[
      'tool --password "@@"',
      "docker login -u me -p @@ example.com",
      "redis-cli -a @@ ping",
      "java -Dspring.password=@@ App",
      "keytool -storepass @@ -list",
    ].map(pw),
    ...["openssl rsa -passin pass:@@ -in a", "tool --db-password=@@ x", "tool --pass @@"].map(pw),
    ...[
      "tool --token=@@",
      "tool --api-key @@ x",
      "tool --client-secret '@@'",
      "curl -H 'X-Api-Key: @@' x",
      'curl -H "PRIVATE-TOKEN: @@" x',
    ].map(key),
    ["tool --password @@\n", "opensesame", "password"],
    ["tool --password @@ | tee", "opensesame", "password"],
    ...[
      "curl -u admin:@@ https://x",
      "curl -s --user admin:@@ x",
      "curl -uadmin:@@ x",
      "wget -q --proxy-user me:@@ x",
      "curl -U 'me:@@' x",
    ].map((text): Row => [text, "hunter2", "basic-auth"]),
    ...["curl -b 'sid=@@' x", "curl --cookie sid=@@ x", "curl -H 'Cookie: sid=@@' x"].map(
      (text): Row => [text, token, "cookie"],
    ),
  ]);
});

test("[TP-6] passwords and keys are found in headers, queries, logs and connection strings", () => {
  check([
    ...[
      "X-Api-Key: @@",
      "x-auth-token: @@",
      "Ocp-Apim-Subscription-Key: @@",
      "?access_token=@@&x=1",
      "token=@@ expired",
      "got secret=@@, stop",
    ].map(key),
    ...[
      "Server=db;User Id=app;Password=@@;Encrypt=true",
      "host=db user=app password=@@ dbname=x",
      "user=app&password=@@&x=1",
      "login with password=@@ failed",
    ].map(pw),
    ["AccountName=x;AccountKey=@@;EndpointSuffix=y", `${body(alnum, 86, 3)}==`, "secret"],
    ["Endpoint=sb://x/;SharedAccessKeyName=R;SharedAccessKey=@@", `${body(alnum, 43, 3)}=`, "secret"],
    ["Server=db;Uid=app;Pwd=@@;", "opensesame", "password"],
    ["Cookie: sid=@@; theme=dark; lang=en", token, "cookie"],
    ["Set-Cookie: session=@@; Path=/; Max-Age=31536000; HttpOnly", token, "cookie"],
    ['"set-cookie": "session=@@; Path=/"', token, "cookie"],
    ["Cookie: a=@@; b=@@", token, "cookie"],
    [".example.com\tTRUE\t/\tTRUE\t1999999999\tsid\t@@", token, "cookie"],
  ]);
});

test("[TP-6] of a URL only the password goes, or the token that stands for the user", () => {
  check([
    ...[
      "postgres://app:@@@db:5432/x",
      "https://me:@@@example.org/a?b",
      "redis://:@@@cache:6379",
      "amqp://u:@@@[::1]/",
    ].map((text): Row => [text, "hunter2", "url-password"]),
    ["postgres://u:@@@db/x", "p@ss9word", "url-password"],
    ["https://user:@@@host", "he%2F%2Fo9", "url-password"],
    ["https://@@@example.org/a/b.git", token, "url-token"],
  ]);
});

test("[TP-6] passwords are found in login files, and hashes of passwords too", () => {
  const netrc = [
    "machine x login me password @@",
    "machine x\n  login me\n  password @@\n",
    "1\tmachine x\n2\t  login me\n3\t  password @@\n",
  ];
  const pgpass = ["db.example.com:5432:app:me:@@", "*:*:*:me:@@\n", "localhost:6432:*:me:@@"];
  check([
    ...netrc.map((text): Row => [text, "hunter2", "netrc-password"]),
    ...pgpass.map((text): Row => [text, "hunter2", "pgpass-password"]),
    ...[
      "1",
      "5",
      "6",
      "7",
      "y",
      "gy",
      "apr1",
      "2a",
      "2b",
      "2x",
      "2y",
      "scrypt",
      "argon2i",
      "argon2d",
      "argon2id",
      "pbkdf2-sha512",
      "sha1",
    ].map((scheme): Row => ["root:@@:19000:0:99999:7:::", hash(scheme), "password-hash"]),
    ...["SHA", "SSHA", "SSHA256", "SSHA512", "SHA256", "SHA512", "CRYPT", "PBKDF2"].map(
      (scheme): Row => [`me:{${scheme}}@@`, `${body(alnum, 27, 4)}=`, "password-hash"],
    ),
  ]);
});

test("[TP-6] colours and line ends between a name and its value, or inside the value, hide nothing", () => {
  const esc = "\u001b";
  check([
    pw(`${esc}[32mPASSWORD${esc}[0m=${esc}[1;33m@@${esc}[0m`),
    pw(`${esc}[1m"password"${esc}[0m: ${esc}[32m"@@"${esc}[0m`),
    pw(String.raw`\u001b[32mpassword\u001b[0m: \x1b[1m@@\033[0m`),
  ]);
  const [start, end] = [token.slice(0, 9), token.slice(9)];
  const split = [
    `TOKEN=${start}\\\n${end}\nA=1`,
    `TOKEN=${start}\\\r\n${end}\nA=1`,
    `TOKEN=${start}${esc}[31m${end}\nA=1`,
    `7\tTOKEN=${start}\\\n8\t${end}\nA=1`,
  ];
  expect(split.map((text) => kinds(redact(text).text).replace(/^7\t/, ""))).toEqual(
    split.map(() => "TOKEN=<secret>\nA=1"),
  );
});

const ordinary = [
  ...[
    'password: "changeme"',
    'password: "password"',
    "API_KEY=YOUR_API_KEY",
    "API_KEY=your-api-key-here",
    "TOKEN=xxxxxxxxxxxx",
    "TOKEN=<token>",
  ],
  ...[
    "token: process.env.TOKEN,",
    `TOKEN=\${TOKEN}`,
    "TOKEN=$TOKEN",
    "TOKEN=$(cat file1)",
    "TOKEN=%TOKEN1%",
    "token: '{{ vault_pw1 }}'",
    'password: "%s1"',
  ],
  ...[
    "secret: string",
    "secret: string;",
    "password?: string",
    "function login(user: string, password: string) {}",
    "password: z.string().min(8)",
  ],
  ...[
    "const token = await getToken2();",
    "token: uuid4()",
    "token: Token2,",
    "token: Uint8Array",
    "password: Optional[str] = None",
    "token = b64(x1y2z3)",
  ],
  ...[
    '"token": "punctuation.definition.string"',
    'const password = document.getElementById("password1").value',
    "secretName: my-app-secret",
  ],
  ...[
    "passwordFile: /run/secrets/db2",
    "token_url: https://x/oauth2/token",
    "PASS: test_foo2.sh",
    "--- PASS: TestFoo2 (0.00s)",
    "PWD=/srv/app2",
  ],
  ...[
    "OLDPWD=/srv/a1b2",
    "pass 12",
    "maxTokens: 200000",
    "max_tokens=4096",
    "nextPageToken: 'CAUQAA9f8a7b6c5d'",
    "publicKey: '9f8a7b6c5d4e3f2a1b'",
  ],
  ...[
    "keyboard: 'a1b2c3d4e5f6g7h8'",
    "token === 'a1b2c3d4e5f6g7h8'",
    "password: test1234",
    "password: 'test123'",
    "secret = 'secret123'",
    "TOKEN=test",
  ],
  ...[
    "Cookie: theme=dark; lang=en",
    "cookies: parse(x)",
    "document.cookie = name",
    "Set-Cookie: a=b; Expires=Wed, 21 Oct 2026 07:28:00 GMT",
  ],
  ...[
    "http://user:pass@example.com",
    "http://user:password@host",
    `https://\${user}:\${pass}@host`,
    "postgres://postgres:postgres@localhost:5432/x",
  ],
  ...[
    "ssh://git@github.com/a/b",
    "mailto:x@y.z",
    "https://example.com/@scope/a1b2c3d4e5f6g7h8i9j0",
    "http://u:***@host",
    "http://a:12345678@x",
  ],
  ...[
    "docker run -p 8080:80 img",
    "mkdir -p a/b2",
    "ssh -p 2222 host",
    "curl -u $USER:$PASS x",
    "mysql -u root -p db",
    "sort -u a1:b2c3d4",
  ],
  ...[
    "tool --password-file /x",
    "see --password for details",
    "use the --token flag",
    "enter your password: ",
    "opt -Rpass=inline2 x",
    "--secret id=npmrc,src=.npmrc1",
  ],
  ...[
    "apiKey: config.apiKey2,",
    `secret: \${{ secrets.DEPLOY_KEY1 }}`,
    "auth: 'oauth2'",
    "SECRET_KEY=django-insecure-change-me",
    "'password' => 'required|min:8'",
  ],
  ...[
    "i18n: {password: 'Passwort'}",
    "$1$2",
    "$a$b$c",
    "{SHA1}",
    "12:54:30: hello:a:b:c",
    "keys: [1,2,3]",
    "Password must be 8-64 characters",
    "api_key: null",
  ],
  ...[
    `integrity: sha512-${body(alnum, 86, 5)}==`,
    `commit ${body("0123456789abcdef", 40, 6)}`,
    `id: ${uuid(9)}`,
    "private_key: path/to/key1.pem",
  ],
  ...[
    "bypass: 'a1b2c3'",
    "compass=north42",
    "crc: 'crc-16-buypass', 'Crc16Buypass'",
    "/etc/passwd: a1b2c3d4",
    'all columns identified by "aOrder2"',
    "login admin failed",
  ],
  ...[
    "--debug-password-length=12",
    "token := tokens[i1]",
    "password => hash(x1)",
    "Authorization: Digest username=me1, realm=x",
    "authorization = base64.decodebytes1234(x)",
  ],
];

test.each(ordinary)("%j holds no secret and stays as it is", (text) => {
  expect(redact(text)).toEqual({ text, count: 0 });
});

test("[TP-6] a value longer than any password is replaced to its end", () => {
  const long = body(alnum, 9_000, 1);
  check([
    ["API_TOKEN=@@ x", long, "secret"],
    ["?token=@@&x=1", long, "secret"],
  ]);
});

test("[TP-6] what is left of a value whose closing quote was cut off is replaced", () => {
  check([key('{"token": "@@'), key('{"token": "@@\n[… 7 characters left out …]')]);
});
