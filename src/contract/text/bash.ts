export const bashText = {} as const;
