// Names that package.json uses, except commands and settings; a test compares both.
/**
 * The state of a list; it selects the welcome view of an empty tree. `noKey`: this window can't
 * find the key, because with VS Code for the Web each browser stores its own.
 */
export type ListState = 'loading' | 'ok' | 'empty' | 'invalidKey' | 'noKey' | 'noSampleKey';

/** Context keys that complete the walkthrough's steps. */
export type StepKey =
  | 'imageAnalysis.jobDone'
  | 'imageAnalysis.masksShown'
  | 'imageAnalysis.tableFiltered'
  | 'imageAnalysis.populationMade'
  | 'imageAnalysis.masksExported'
  | 'imageAnalysis.conditionsCompared';

/** The context keys of `when` clauses and of the walkthrough, and their values. */
export interface ContextKeys extends Record<StepKey, boolean> {
  /** Whether an account is active. */
  'imageAnalysis.signedIn': boolean;
  /** Whether there are accounts, active or not. */
  'imageAnalysis.hasAccounts': boolean;
  'imageAnalysis.files.state': ListState;
  /** Whether the files are filtered by name. */
  'imageAnalysis.files.filtered': boolean;
  'imageAnalysis.pipelines.state': ListState;
  'imageAnalysis.jobs.state': ListState;
}

/** The tree views. */
export const viewIds = {
  files: 'imageAnalysis.files',
  pipelines: 'imageAnalysis.pipelines',
  jobs: 'imageAnalysis.jobs',
} as const;

/** The walkthrough. */
export const walkthroughId = 'start';

/** The types of panels and of custom editors. */
export const viewTypes = {
  table: 'imageAnalysis.table',
  masks: 'imageAnalysis.masks',
  comparison: 'imageAnalysis.comparison',
  tableEditor: 'imageAnalysis.tableEditor',
  /** For table files that no text editor shows. */
  tableFileEditor: 'imageAnalysis.tableFileEditor',
  /** For images that VS Code can't show. */
  imageEditor: 'imageAnalysis.imageEditor',
  /** For images that VS Code opens itself, unless the user selects this editor. */
  optionalImageEditor: 'imageAnalysis.optionalImageEditor',
} as const;
