// Starts setpiece lsp for scripts, files of rules and notes.
const { window, workspace } = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

let client;

exports.activate = async () => {
  const settings = workspace.getConfiguration('setpiece');
  const results = window.createOutputChannel('setpiece: run', 'setpiece');
  const languages = [{ language: 'setpiece' }, { language: 'markdown', scheme: 'file' }];
  client = new LanguageClient('setpiece', 'setpiece', { command: settings.get('path'), args: ['lsp'] }, {
    documentSelector: languages,
    initializationOptions: { strict: settings.get('strict'), results: true },
    middleware: {
      // what run, test and report print
      executeCommand: async (command, args, next) => {
        const text = await next(command, args);
        if (typeof text === 'string') {
          results.clear();
          results.append(text);
          results.show(true);
        }
        return text;
      },
    },
  });
  try {
    await client.start();
  } catch (e) {
    window.showErrorMessage(`setpiece does not start: ${e.message}. The setting setpiece.path says where the program is.`);
  }
};

exports.deactivate = () => client?.stop();
