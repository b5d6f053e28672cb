// What package.json refers to by name, besides commands and settings; a test compares both.

/**
 * Where a list as a whole stands; decides which welcome view an empty tree shows. A key can be
 * refused, or not be where this window looks for it: in a VS Code that is served each browser has
 * its own.
 */
export type ListState = 'loading' | 'ok' | 'empty' | 'invalidKey' | 'noKey' | 'noSampleKey';

/** Context keys that complete the walkthrough's steps, however the step's result came about. */
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
  /** Of files that no text editor shows. */
  tableFileEditor: 'imageAnalysis.tableFileEditor',
  /** For images that VS Code can't show. */
  imageEditor: 'imageAnalysis.imageEditor',
  /** For images that VS Code shows too, and opens itself unless the user chooses this editor. */
  optionalImageEditor: 'imageAnalysis.optionalImageEditor',
} as const;
