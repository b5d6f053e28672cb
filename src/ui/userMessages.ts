import * as vscode from 'vscode';
import { isCoded, type CodedError } from '../base/errors';

/** The message for a person: what happened, to which thing, what to do next. The one place where errors become words. */
export function userMessage(error: unknown): string {
  if (!isCoded(error)) {
    return vscode.l10n.t('Something went wrong inside the extension. The log says more.');
  }
  const said = error.details.reason ? ` ${vscode.l10n.t('Reason: {0}', sentence(error.details.reason))}` : '';
  return `${explain(error)}${said}`;
}

function explain({ code, details }: CodedError): string {
  const subject = details.subject;
  switch (code) {
    case 'signed-out':
      return vscode.l10n.t('You are not signed in. Sign in to go on.');
    case 'invalid-key':
      return vscode.l10n.t(
        'The service does not accept this API key. Make a new one on its website and sign in again.',
      );
    case 'not-found':
      return subject
        ? vscode.l10n.t('"{0}" was not found. It may have been removed; refresh and try again.', subject)
        : vscode.l10n.t('What was asked for was not found. It may have been removed; refresh and try again.');
    case 'bad-request':
      return subject
        ? vscode.l10n.t('"{0}" cannot be used. Check it and try again.', subject)
        : vscode.l10n.t('The request was refused. Check what you entered and try again.');
    case 'rate-limited':
      return details.retryAfter === undefined
        ? vscode.l10n.t('The service is receiving too many requests. Try again in a while.')
        : vscode.l10n.t(
            'The service is receiving too many requests. Try again in {0} seconds.',
            Math.ceil(details.retryAfter),
          );
    case 'service-error':
      return details.status === undefined
        ? vscode.l10n.t('The service failed. Try again later.')
        : vscode.l10n.t('The service failed (status {0}). Try again later.', details.status);
    case 'network':
      return vscode.l10n.t(
        'The service cannot be reached. Check the address, your connection and the proxy settings (proxy scripts and Kerberos are not supported).',
      );
    case 'timeout':
      return vscode.l10n.t('The service did not answer in time. Try again.');
    case 'cancelled':
      return vscode.l10n.t('Cancelled.');
    case 'exists':
      return subject
        ? vscode.l10n.t('"{0}" exists already and was left as it is.', subject)
        : vscode.l10n.t('The file exists already and was left as it is.');
    case 'file-too-large':
      return subject
        ? vscode.l10n.t('"{0}" is larger than 2 GB. Upload it on the service\'s website.', subject)
        : vscode.l10n.t("The file is larger than 2 GB. Upload it on the service's website.");
    case 'file-changed':
      return subject
        ? vscode.l10n.t('"{0}" changed while it was read. Try again when it is complete.', subject)
        : vscode.l10n.t('The file changed while it was read. Try again when it is complete.');
    case 'not-a-file':
      return subject
        ? vscode.l10n.t('"{0}" is not a file that can be read.', subject)
        : vscode.l10n.t('This is not a file that can be read.');
    case 'unexpected-response':
      return vscode.l10n.t(
        "The service answered in a way that is not understood. Check that the address is the service's.",
      );
    case 'ambiguous-submit':
      return vscode.l10n.t(
        'It is not known whether the service accepted the job. Look at the list of jobs before you submit again: a second one costs money too.',
      );
    case 'job-failed':
      return subject ? vscode.l10n.t('The job "{0}" failed.', subject) : vscode.l10n.t('The job failed.');
    case 'link-expired':
      return vscode.l10n.t(
        "The service's link to this result has expired, and a fresh one did not work either. Try again.",
      );
    case 'damaged-archive':
      return subject
        ? vscode.l10n.t('The masks archive "{0}" is damaged. Download it again.', subject)
        : vscode.l10n.t('The masks archive is damaged. Download it again.');
    case 'damaged-table':
      return subject
        ? vscode.l10n.t('The table "{0}" cannot be read.', subject)
        : vscode.l10n.t('The table cannot be read.');
    case 'too-many-objects':
      return vscode.l10n.t('There are more objects than can be shown.');
    case 'no-space':
      return vscode.l10n.t('The disk is full. Free some space and try again.');
  }
}

function sentence(reason: string): string {
  const trimmed = reason.trim();
  return /[.!?…]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}

/** Shows one message for a failure, with what helps next. A cancel is not a failure and shows nothing. */
export async function showFailure(error: unknown): Promise<void> {
  if (isCoded(error, 'cancelled')) return;
  const showLog = vscode.l10n.t('Show Log');
  const signIn = vscode.l10n.t('Sign In');
  const needsSignIn = isCoded(error, 'signed-out') || isCoded(error, 'invalid-key');
  const answer = await vscode.window.showErrorMessage(
    userMessage(error),
    ...(needsSignIn ? [signIn] : [showLog]),
  );
  if (answer === signIn) await vscode.commands.executeCommand('imageAnalysis.signIn');
  if (answer === showLog) await vscode.commands.executeCommand('imageAnalysis.showLog');
}
