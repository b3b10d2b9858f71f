import { inDollars } from "../../../contract/show/money.ts";
import type { EnginePort } from "../../../engine/port.ts";

/** What a status command is told, in the form that other agents use, so that their scripts work. */
export function statusInput(
  port: EnginePort,
  more: { readonly version: string; readonly branch: string | null },
): object {
  const { id, model, mode, usage, cost } = port.state();
  const { tokens, window } = port.context();
  const { workspace, addDirs } = port.settings;
  const used = window === 0 ? 0 : Math.min(100, Math.round((tokens / window) * 100));
  return {
    hook_event_name: "Status",
    session_id: id,
    cwd: workspace,
    workspace: { current_dir: workspace, project_dir: workspace, added_dirs: addDirs, git_branch: more.branch },
    version: more.version,
    model: { id: model, display_name: model.slice(model.indexOf("/") + 1) },
    mode,
    sandbox: port.sandboxState(),
    // `null`: a reply of unknown price.
    cost: { total_cost_usd: cost === null ? null : inDollars(cost) },
    context_window: {
      ...{ total_input_tokens: usage.input, total_output_tokens: usage.output },
      ...{ context_window_size: window, used_tokens: tokens, used_percentage: used, remaining_percentage: 100 - used },
    },
  };
}
