export const toolText = {} as const;
