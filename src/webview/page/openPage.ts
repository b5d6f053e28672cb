import { isCoded } from '../../base/errors';
import type { PageStrings } from '../../protocol/tablePage';
import type { SharedTextKey } from '../../words/pages/sharedTexts';
import { element, fill } from '../widgets/element';
import { PageMessage } from './pageMessage';
import { PageText } from './pageText';
import { keepTextBoxMenus } from './textBoxMenus';

export interface Opening<Start extends { title: string }> {
  root: HTMLElement;
  strings: () => Promise<PageStrings>;
  start: () => Promise<Start>;
  retry: () => Promise<Start>;
  /** Listens to the panel's progress until the result is disposed. */
  onProgress: (listener: (value: { done: number; total: number; text: string }) => void) => {
    dispose(): void;
  };
  /** Reports a failure for the log. */
  failed: (message: string) => void;
}

/**
 * Requests the page's content from the panel, shows progress meanwhile, and offers to retry after each failure. `Key` are the
 * keys of the texts that the panel sends to this page.
 */
export async function openPage<Start extends { title: string }, Key extends string>(
  opening: Opening<Start>,
): Promise<{ text: PageText<Key | SharedTextKey>; start: Start }> {
  keepTextBoxMenus();
  const locale = document.documentElement.lang || undefined;
  const text = new PageText<Key | SharedTextKey>(await opening.strings(), locale);
  const message = new PageMessage(text);
  document.title = text.get('opening');
  const progress = opening.onProgress(value => message.progress(value));
  try {
    for (let request = opening.start; ; request = opening.retry) {
      message.opening();
      fill(opening.root, element('main', { class: 'page-main' }, message.root));
      try {
        const start = await request();
        document.title = start.title;
        return { text, start };
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        if (!isCoded(error)) opening.failed(reason);
        await message.failed(reason);
      }
    }
  } finally {
    progress.dispose();
  }
}
