import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable';
import type { Log } from '../../base/log';
import { readCall } from '../programCall';
import { showFailure } from '../userMessages';

/** The two ways a contract command is called; see readCall for how they are told apart. */
export interface CommandHandlers {
  /** Asks nothing, shows nothing, returns a JSON value, rejects with a coded error. */
  program(options: Record<string, unknown>, rest: unknown[]): Promise<unknown>;
  /** Asks what it needs. Where missing, a person's call is a program's without options. */
  person?(rest: unknown[]): Promise<void>;
}

/** Registers `imageAnalysis.<name>`. A person's failure becomes one message, never a rejection. */
export function registerCommand(name: string, handlers: CommandHandlers, log: Log): Disposable {
  return vscode.commands.registerCommand(`imageAnalysis.${name}`, async (...args: unknown[]) => {
    const call = readCall(args);
    if (call.program) return await handlers.program(call.options, call.rest);
    try {
      if (handlers.person) await handlers.person(call.rest);
      else await handlers.program({}, call.rest);
    } catch (error) {
      log.error(`The command ${name} failed`, error);
      // Not awaited: the command is over, the message stays until it is read.
      void showFailure(error);
    }
    return undefined;
  });
}
