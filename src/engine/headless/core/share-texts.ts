import type { Config } from '@google/gemini-cli-core';
import { RecentMap } from '../../../util/recent-map.js';

const texts = new RecentMap<string, string>(50);

/** Sessions have the same system prompt and the same skills, 90 KB of text. This keeps one copy for all of them. */
export function shareTexts(config: Config): void {
  const chat = config.geminiClient.getChat();
  chat.setSystemInstruction(shared(chat.getSystemInstruction()));
  for (const skill of config.getSkillManager().getAllSkills()) skill.body = shared(skill.body);
}

function shared(text: string): string {
  const known = texts.get(text);
  if (known !== undefined) return known;
  texts.set(text, text);
  return text;
}
