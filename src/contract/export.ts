export type ExportForm = "md" | "html" | "json";
export const exportForms: readonly ExportForm[] = ["md", "html", "json"];

export interface Exported {
  readonly path: string;
  readonly bytes: number;
}
