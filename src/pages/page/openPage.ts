import { isCoded } from '../../base/errors';
import type { PageStrings } from '../pageStrings';
import type { SharedTextKey } from '../sharedTexts';
import { element, fill } from './widgets/element';
import { PageMessage } from './pageMessage';
import { PageText } from './pageText';
import { keepTextBoxMenus } from './textBoxMenus';

interface Progress {
  done: number;
  total: number;
  text: string;
}

export interface Opening<Start extends { title: string }> {
  root: HTMLElement;
  strings: () => Promise<PageStrings>;
  start: () => Promise<Start>;
  retry: () => Promise<Start>;
  /** Listens to the panel's progress until the result is disposed. */
  onProgress: (listener: (value: Progress) => void) => {
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
  let message: PageMessage | undefined;
  let latest: Progress | undefined;
  const progress = opening.onProgress(value => {
    latest = value;
    message?.progress(value);
  });
  try {
    const strings = opening.strings();
    // Now, not when the texts are there: a message to the panel and back takes a while.
    const first = opening.start();
    // Its failure is shown below.
    first.catch(() => undefined);
    const text = new PageText<Key | SharedTextKey>(await strings, locale);
    message = new PageMessage(text);
    document.title = text.get('opening');
    for (let request = () => first; ; request = opening.retry) {
      message.opening();
      if (latest) message.progress(latest);
      fill(opening.root, element('main', { class: 'page-main' }, message.root));
      try {
        const start = await request();
        document.title = start.title;
        return { text, start };
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        if (!isCoded(error)) opening.failed(reason);
        await message.failed(reason);
        latest = undefined;
      }
    }
  } finally {
    progress.dispose();
  }
}
