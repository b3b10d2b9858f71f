import { ok } from "../../contract/error.ts";
import { type Job, type JobView, jobState } from "../../contract/job.ts";
import { say } from "../../contract/text/catalogue.ts";
import { defineTool, type ToolOutput } from "../../contract/tool.ts";
import { args, oneOf, optional, text, whole } from "../args.ts";

export const job = defineTool({
  name: "job",
  description:
    "Look after commands started by bash with background: list them, get the output that is new since the last look (wait_s waits for the job's end), or kill one.",
  input: args({
    action: oneOf(["list", "output", "kill"]),
    id: optional(text("Such as j1; not for list")),
    wait_s: optional(whole("", { min: 0, max: 600 })),
  }),
  access: "session",
  afterCrash: "repeat",
  role: "watches",
  async run({ action, id = "", wait_s = 0 }, ctx) {
    if (action === "list") {
      const jobs = ctx.jobs.list();
      return ok({ text: jobs.map(line).join("\n") || "no jobs", data: { jobs: jobs.map(shown) } });
    }
    const view = action === "kill" ? await ctx.jobs.kill(id) : await ctx.jobs.output(id, wait_s * 1000, ctx.signal);
    return view.ok ? ok(outputOf(view.value)) : view;
  },
});

function outputOf({ job: one, output, missing }: JobView): ToolOutput {
  const left = missing > 0 ? [`[… ${missing} bytes left out …]`] : [];
  const body = output === "" ? ["(no new output)"] : [output.replace(/\n$/, "")];
  return { text: [line(one), ...left, ...body].join("\n"), data: { ...shown(one), output, missing } };
}

function line(one: Job): string {
  return say("en", jobState(one));
}

function shown({ id, command, end }: Job) {
  const ended = end === null ? {} : { fate: end.fate, exit_code: end.exitCode, signal: end.signal };
  return { id, command, running: end === null, ...ended };
}
