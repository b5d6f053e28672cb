import type { PageStrings } from '../protocol/tablePage';
import { isCoded } from '../base/errors';
import { element, fill } from './element';
import { PageMessage } from './pageMessage';
import { PageText } from './pageText';

export interface Opening<Start extends { title: string }> {
  root: HTMLElement;
  strings: () => Promise<PageStrings>;
  start: () => Promise<Start>;
  retry: () => Promise<Start>;
  /** Hears the panel's progress until the result is disposed. */
  onProgress: (listener: (value: { done: number; total: number; text: string }) => void) => {
    dispose(): void;
  };
  /** Reports a failure for the log. */
  failed: (message: string) => void;
}

/** Asks the panel for the page's content, shows progress meanwhile, and on failure offers to try again, as often as it takes. */
export async function openPage<Start extends { title: string }>(
  opening: Opening<Start>,
): Promise<{ text: PageText; start: Start }> {
  const text = new PageText(await opening.strings(), document.documentElement.lang || undefined);
  const message = new PageMessage(text);
  document.title = text.get('opening');
  const progress = opening.onProgress(value => message.progress(value));
  try {
    for (let ask = opening.start; ; ask = opening.retry) {
      message.opening();
      fill(opening.root, element('main', { class: 'page-main' }, message.root));
      try {
        const start = await ask();
        document.title = start.title;
        return { text, start };
      } catch (error) {
        const words = error instanceof Error ? error.message : String(error);
        if (!isCoded(error)) opening.failed(words);
        await message.failed(words);
      }
    }
  } finally {
    progress.dispose();
  }
}
