/**
 * The parts of a result that a panel can show; `file` is the table of a local file, `image` an
 * image file by itself.
 */
export const resultParts = ['objects', 'aggregate', 'masks', 'file', 'image'] as const;

export type ResultPart = (typeof resultParts)[number];

/** The parts that are tables. */
export type TableKind = Exclude<ResultPart, 'masks' | 'image'>;

/** The parts that are downloaded from the service. */
export type DownloadedPart = Exclude<ResultPart, 'file' | 'image'>;
