export const modelText = {} as const;
