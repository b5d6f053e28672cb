import type { FileChange } from '../../host/fileChange';
import { element, fill, icon } from '../../pages/page/widgets/element';
import type { MasksText } from '../../pages/page/pageText';

/** The line that says that the file changed since it was read, and offers to read it again. */
export class FileNotice {
  readonly root = element('div', { class: 'file-notice', role: 'status' });

  constructor(
    private readonly text: MasksText,
    private readonly onReload: () => void,
  ) {
    this.show(null);
  }

  show(change: FileChange | null): void {
    const { text } = this;
    // The element stays, so that screen readers say what comes into it.
    this.root.classList.toggle('shown', change !== null);
    if (change === null) {
      fill(this.root);
      return;
    }
    const reload = element('button', { type: 'button', class: 'button secondary' }, text.get('reloadFile'));
    reload.addEventListener('click', this.onReload);
    fill(
      this.root,
      icon('warning'),
      element('span', {}, text.get(change === 'changed' ? 'fileChanged' : 'fileDeleted')),
      change === 'changed' && reload,
    );
  }
}
