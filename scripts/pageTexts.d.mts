export interface CheckedPage {
  texts: string;
  makes: string;
  folders: string[];
}
export const pages: CheckedPage[];
export function pageTextProblems(config: string, pagesToCheck: CheckedPage[]): string[];
