import { t } from '../l10n';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import type { LaterScript } from '../laterScript';
import { Button, Icon } from './parts';

interface LaterProps<Parts> {
  script: LaterScript<Parts>;
  /** Whether the part should be visible. */
  isNeeded: boolean;
  /** Shown until the script is loaded; `content` is empty, or says that loading failed. */
  meanwhile: (content: ComponentChildren) => ComponentChildren;
  children: (parts: Parts) => ComponentChildren;
}

/** A part of a page whose script is loaded later. */
export function Later<Parts>({ script, isNeeded, meanwhile, children }: LaterProps<Parts>) {
  const parts = script.parts.value;
  useLayoutEffect(() => {
    if (isNeeded) script.begin();
  }, [isNeeded]);
  if (parts) return <>{children(parts)}</>;
  if (!isNeeded) return null;
  return <>{meanwhile(script.hasFailed.value && <Failed script={script} />)}</>;
}

function Failed<Parts>({ script }: Pick<LaterProps<Parts>, 'script'>) {
  return (
    <div class="page-message failed">
      <Icon name="error" />
      <p class="page-message-text" role="alert">
        {t("Couldn't load this part of the page.")}
      </p>
      <Button onClick={() => script.begin()}>{t('Try Again')}</Button>
    </div>
  );
}
