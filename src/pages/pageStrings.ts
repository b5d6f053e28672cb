/** The page's strings, translated by the host; the keys are those of src/pages. */
export type PageStrings = Record<string, string>;
