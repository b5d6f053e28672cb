import * as vscode from 'vscode';
import type { Accounts } from '../../accounts/node/accounts';
import type { JobSessions } from '../node/jobSessions';
import { pickUpSubmits } from '../node/leftSubmits';
import type { Log } from '../../base/log';
import { settleAmbiguity } from './submitSteps';
import { showWarningMessage } from '../../host/editor/surfaces/messages';

export interface LeftSubmitParts {
  accounts: Accounts;
  sessions: JobSessions;
  log: Log;
}

/** Picks up the submits of windows that are gone, and asks once about those that may or may not have become a job. */
export async function pickUpLeftSubmits({ accounts, sessions, log }: LeftSubmitParts): Promise<void> {
  const questions = await pickUpSubmits(accounts, sessions, log);
  const [only] = questions;
  if (!only) return;
  const review = vscode.l10n.t('Review');
  const text =
    questions.length === 1
      ? vscode.l10n.t(
          'The window was closed while "{0}" was being submitted. The service may or may not have accepted it.',
          only.request.name ?? only.request.pipelineId,
        )
      : vscode.l10n.t(
          'The window was closed while {0} jobs were being submitted. The service may or may not have accepted them.',
          questions.length,
        );
  if ((await showWarningMessage(text, review)) !== review) return;
  for (const { session, request, candidates } of questions)
    await settleAmbiguity({ log }, session, request, candidates);
}
