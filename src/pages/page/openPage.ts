import type { Disposable } from '../../base/disposable';
import { isCoded } from '../../base/errors';
import type { PageStrings } from '../pageTranslations';
import { setLanguage, t } from './l10n';
import { element, fill, icon } from './widgets/element';

interface Progress {
  done: number;
  total: number;
  text: string;
}

/** What every panel offers to the page that opens in it. */
interface OpeningPanel<Start> {
  request(method: 'strings', params: Record<string, never>): Promise<PageStrings>;
  request(method: 'start' | 'retry', params: Record<string, never>): Promise<Start>;
  on(name: 'progress', listener: (value: Progress) => void): Disposable;
  on(name: 'panelState', listener: (value: unknown) => void): Disposable;
  /** An error of the page, to be logged. */
  send(name: 'failure', value: { message: string }): void;
}

/**
 * Requests the page's content from the panel. Meanwhile shows progress in `root`; after a failure,
 * offers to retry. From then on, errors of the page are reported, and the panel's state is saved
 * for a reload.
 */
export async function openPage<Start extends { title: string }>(
  root: HTMLElement,
  panel: OpeningPanel<Start>,
  port: { savePanelState(state: unknown): void },
): Promise<Start> {
  const reportFailure = (message: string) => panel.send('failure', { message });
  panel.on('panelState', value => port.savePanelState(value));
  addEventListener('error', ({ message }) => reportFailure(message));
  addEventListener('unhandledrejection', ({ reason }) => reportFailure(String(reason)));
  limitMenusToTextBoxes();
  leaveKeysToComposing();
  showIconsOnceLoaded();
  const locale = document.documentElement.lang || undefined;
  let message: PageMessage | undefined;
  let latestProgress: Progress | undefined;
  const progress = panel.on('progress', value => {
    latestProgress = value;
    message?.progress(value);
  });
  try {
    const strings = panel.request('strings', {});
    // Sent before the texts arrive: a message to the panel and back takes a while.
    const firstStart = panel.request('start', {});
    // A failure is shown below.
    firstStart.catch(() => undefined);
    const { translations, failed: heading } = await strings;
    setLanguage(translations, locale);
    message = new PageMessage(heading);
    document.title = t('Opening…');
    for (let request = () => firstStart; ; request = () => panel.request('retry', {})) {
      message.opening();
      if (latestProgress) message.progress(latestProgress);
      fill(root, element('main', { class: 'page-main' }, message.root));
      try {
        const start = await request();
        document.title = start.title;
        return start;
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        if (!isCoded(error)) reportFailure(reason);
        await message.failed(reason);
        latestProgress = undefined;
      }
    }
  } finally {
    progress.dispose();
  }
}

/**
 * Leaves Enter, Esc and arrows to the input window in which Japanese, Chinese or Korean words are
 * composed, while it is open: then they neither end a text box nor act as shortcuts. Call it before
 * adding other listeners.
 */
export function leaveKeysToComposing(page: EventTarget = globalThis): void {
  for (const type of ['keydown', 'keyup', 'keypress'])
    page.addEventListener(
      type,
      event => {
        if ((event as KeyboardEvent).isComposing) event.stopImmediatePropagation();
      },
      { capture: true },
    );
}

/** The page's content while it is opening, has failed, or is empty. */
export class PageMessage {
  readonly root = element('div', { class: 'page-message' });
  private readonly bar = element('div', { class: 'progress-bar' });
  private readonly words = element('p', { class: 'page-message-text', role: 'status' });

  constructor(private readonly heading: string) {}

  /** Shows that the page is opening: a progress bar at the top, and text after a short delay. */
  opening(): void {
    this.root.className = 'page-message opening';
    this.progress({ done: 0, total: 0, text: t('Opening…') });
    fill(this.root, element('div', { class: 'progress-track' }, this.bar), this.words);
  }

  /** Shows progress; `total` 0 if the end is unknown. */
  progress(value: { done: number; total: number; text: string }): void {
    const isKnown = value.total > 0;
    const share = isKnown ? Math.min(1, value.done / value.total) : 0;
    this.bar.classList.toggle('unknown', !isKnown);
    this.bar.style.width = isKnown ? `${share * 100}%` : '';
    this.words.textContent = isKnown ? `${value.text} ${t('{0}%', Math.floor(share * 100))}` : value.text;
  }

  /** Shows a failure. Resolves when the user wants to try again. */
  failed(message: string): Promise<void> {
    const button = element('button', { type: 'button', class: 'button' }, t('Try Again'));
    this.root.className = 'page-message failed';
    fill(
      this.root,
      icon('error'),
      // This is the page's heading if it has no other.
      element(document.querySelector('h1') ? 'h2' : 'h1', {}, this.heading),
      element('p', { class: 'page-message-text', role: 'alert' }, message),
      button,
    );
    return new Promise(resolve => button.addEventListener('click', () => resolve(), { once: true }));
  }

  /** Shows that there is nothing to show, and why. */
  empty(iconName: string, title: string, hint: string): void {
    this.root.className = 'page-message empty';
    fill(
      this.root,
      icon(iconName),
      element('h2', {}, title),
      element('p', { class: 'page-message-text' }, hint),
    );
  }
}

/**
 * Shows icons once their font is loaded. Until then they are invisible (see `shared.css`), as
 * browsers would show boxes after some seconds. If the font can't be loaded they stay so; every
 * icon has a text as well.
 */
export function showIconsOnceLoaded({ fonts, documentElement: root }: Document = document): void {
  void fonts.load('16px codicon').then(
    fontFaces => fontFaces.length > 0 && root.classList.add('icons-loaded'),
    () => undefined,
  );
}

/**
 * Adds style sheets that the page's content security policy allows. Their text may be set later.
 */
export function addStyle(nonce: string, ...sheets: string[]): HTMLStyleElement {
  const style = document.createElement('style');
  style.nonce = nonce;
  style.textContent = sheets.join('\n');
  document.head.append(style);
  return style;
}

/** The nonce of the page's scripts. */
export function scriptNonce(): string {
  return document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? '';
}

/** Types of inputs that take no text. */
const NO_TEXT = new Set(['checkbox', 'color', 'radio', 'range']);

/** Limits VS Code's Cut, Copy and Paste to text boxes; elsewhere they would do nothing. */
function limitMenusToTextBoxes(): void {
  // Captured: VS Code reads the attribute after the event has bubbled.
  addEventListener(
    'contextmenu',
    ({ target }) => {
      const context = { preventDefaultContextMenuItems: !isTextBox(target) };
      document.body.dataset['vscodeContext'] = JSON.stringify(context);
    },
    { capture: true },
  );
}

function isTextBox(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !NO_TEXT.has(target.type);
  return target instanceof HTMLTextAreaElement;
}
