// `vitrine check --notify`: asks no source, and writes nothing.
import { sendTrial } from "../../../collector/features/notify/notify.ts";
import { SettingsProblems } from "../../../collector/settings-problems.ts";
import { EXIT, type Context } from "../../command.ts";
import { row } from "../../output/terminal.ts";
import { configure } from "../../settings/configure.ts";

const REMEDY = "correct the address in that variable; docs/operating.md names the services that take the message";

/** @throws SettingsProblems also if there is no address. */
export async function run(context: Context): Promise<number> {
  const { terminal, flags, stop } = context;
  const { settings, file, environment } = configure(context);
  const { notify, api } = settings;
  if (notify === undefined) throw new SettingsProblems(file, ['notify   is not set: write "notify": "$NOTIFY_URL"']);
  const { isSent, answer } = await sendTrial(notify, { environment, file, title: api.name, stop });
  if (flags.json === true) terminal.out(JSON.stringify({ notify, answer, isSent }, null, 2));
  else terminal.out(row(isSent ? "✔" : "✖", notify, `${answer}: ${isSent ? "look for the message there" : REMEDY}`));
  return isSent ? EXIT.ok : EXIT.failed;
}
