// Permanent answers ("always", "never") by workspace: kept beside the sessions, where no tool may write.
import type { KeptRule, PermissionRule } from "../contract/permission.ts";
import type { Connection } from "./connection.ts";
import { lookIfThere } from "./look.ts";

type Named = Pick<PermissionRule, "tool" | "command" | "path" | "host">;
type Kept = Named & { readonly isDenied?: true };

/** A row allows unless it says otherwise. The source is always the user, whatever the row says. */
export function keptRules(db: Pick<Connection, "rows">, workspace: string): readonly KeptRule[] {
  const sql = "select id, rule, at from rules where workspace = ? order by id";
  const rows = db.rows<[number, string, number]>(sql, workspace);
  return rows.map(([id, rule, at]) => {
    const { isDenied, ...named } = JSON.parse(rule) as Kept;
    const [decision, word] = isDenied ? (["deny", "never"] as const) : (["allow", "always"] as const);
    return { ...named, id, decision, source: `${word} ${new Date(at).toISOString().slice(0, 10)}`, by: "person" };
  });
}

/** The same for read-only callers: creates no file, changes nothing and does not wait. */
export function lookAtRules(home: string, workspace: string): readonly KeptRule[] {
  return lookIfThere<readonly KeptRule[]>(home, [], (rows) => {
    const [version = 0] = rows<[number]>("pragma user_version")[0] ?? [];
    return version < firstWithRules ? [] : keptRules({ rows }, workspace);
  });
}

const firstWithRules = 3;

export function keepRules(db: Connection, workspace: string, rules: readonly PermissionRule[], at: number): void {
  // Durable, because after a power failure the user would be asked again about a settled question.
  db.transact(true, () => {
    for (const rule of rules) {
      db.run("insert or ignore into rules (workspace, rule, at) values (?, ?, ?)", workspace, textOf(rule), at);
    }
  });
}

export function dropRule(db: Connection, workspace: string, id: number): boolean {
  return db.transact(true, () => db.run("delete from rules where workspace = ? and id = ?", workspace, id)) > 0;
}

/** With a fixed key order, so that equal rules are equal texts. */
function textOf({ decision, tool, command, path, host }: PermissionRule): string {
  const pattern = command && { argv: command.argv, isExact: command.isExact, isCautious: command.isCautious };
  const dialled = host && { name: host.name, isBelow: host.isBelow, port: host.port };
  const isDenied = decision === "deny" ? true : undefined;
  return JSON.stringify({ tool, command: pattern, path, host: dialled, isDenied });
}
