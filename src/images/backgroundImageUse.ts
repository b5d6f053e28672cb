/** How a background image of another size than its masks is used: one of its levels or pages, or stretched to fit. */
export type BackgroundImageUse = { level: number } | { page: number } | { scaled: true };
