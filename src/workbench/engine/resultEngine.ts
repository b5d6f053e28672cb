import type { Disposable } from '../../base/disposable';
import { conditionHandlers } from '../../study/engine/conditionHandlers';
import { sheetHandlers } from '../../study/engine/sheetFiles';
import { exportHandlers } from '../../export/engine/exportHandlers';
import { formulaHandlers } from '../../formulas/engine/formulaHandlers';
import { linkHandlers } from '../../linking/engine/linkHandlers';
import { comparisonHandlers } from '../../comparison/engine/comparisonHandlers';
import { plateHandlers } from '../../plates/engine/plateHandlers';
import type { TypedFormat } from '../../columns/engine/typedFormat';
import { parquetFormat } from '../../parquet/engine/parquetFormat';
import { populationHandlers } from '../../populations/engine/populationHandlers';
import type { EngineProgress } from '../../protocol/engineProgress';
import type { Handlers } from '../../protocol/rpc';
import { OpenInEngine, type OpenInEngineOptions } from '../../session/engine/openInEngine';
import type { EngineSide } from '../../session/engineProtocol';

/** Table formats other than CSV. */
const formats: readonly TypedFormat[] = [
  // Its files are recognized by their first bytes or by their name.
  parquetFormat,
];

/** The handlers of a result's thread: the built-in ones, and those of each subject. */
const handlersOf = (open: OpenInEngine): Handlers<EngineSide> => ({
  ...open.handlers,
  ...linkHandlers(open),
  ...conditionHandlers(open),
  ...plateHandlers(open),
  ...sheetHandlers,
  ...formulaHandlers(open.tables),
  ...exportHandlers(open),
  ...comparisonHandlers(open),
  ...populationHandlers(open),
});

/** The engine of one result, in its thread. */
export class ResultEngine implements Disposable {
  readonly handlers: Handlers<EngineSide>;
  private readonly open: OpenInEngine;

  constructor(sendProgress: (progress: EngineProgress) => void, options?: OpenInEngineOptions) {
    this.open = new OpenInEngine(sendProgress, { formats, ...options });
    this.handlers = handlersOf(this.open);
  }

  dispose(): void {
    this.open.dispose();
  }
}
