/** Folders of the packages among the inputs of esbuild's metafiles. */
export function bundledPackages(metafiles: readonly { inputs: object }[]): string[];

/** The text of THIRD_PARTY_NOTICES.txt for package folders. */
export function thirdPartyNotices(folders: readonly string[]): string;
