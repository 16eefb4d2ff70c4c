# Makes a repository that has something of everything that a person can look at, in
# long words and in wide ones: for the tests of what fits a terminal. It runs in a
# repository with one commit, on its main branch.
set -e
brew() { git-brew -q "$@" >/dev/null; }
work() { echo "$1" >>"$1" && git add "$1" && git commit -q -m "$2"; }

# Tasks beside the one that is looked at.
brew create --no-switch --type fix --priority high "Fix the login on Safari, where a cookie of a third party is not sent back to us"
brew create --no-switch --type docs "認証トークンの仕様を書き直す：有効期限、署名、失効、そしてログイン画面の説明"
brew create --no-switch "Small"
brew finish small --status cancelled -m "nobody wants it any more, and the reason for that is a long story which does not fit here"
brew archive small
brew create --no-switch "Waits for the vendor"
brew pause waits-for-the-vendor -m "the vendor has to tell us which of the three certificates is the one that will be valid next year"

brew create --priority medium --issue acme/authentication-service#4711 --issue '#12' "Add JSON web tokens to the authentication service and to everything that talks to it 認証"
brew start
brew doc set spec - <<'END'
# Add JSON web tokens

Signed tokens instead of server sessions, so that two machines can answer, and nobody has to log in twice on one day.
END
brew question add "Which hash signs the tokens, and who decides which keys are known to which of the services?"
brew question add "トークンはどのくらいの期間有効ですか。そして誰がそれを延長できますか。誰が失効させますか。"
brew question resolve 1 -m "HMAC with SHA-256, with a key for each service that is changed every ninety days"
brew next --skip clarify -m "the second question can be answered while the work is going on already, by whoever is asked first"
brew next --skip research -m "one library is in use here already, and it does what we need"
brew stage plan
brew doc set roadmap - <<'END'
# Roadmap

The token model first, the login on top of it.
END
brew doc set plan - <<'END'
# Plan

First the model, then the login, then the renewal.
END
brew phase add "Token model, with everything that signs, parses and checks a token" --verify "grep -q HS256 src/authentication/token_model_with_a_long_name.go" --acceptance "A token that was changed is refused"
brew phase add "Login endpoint 認証トークンの仕様を書き直す" --depends-on 1
brew phase add "Renewal of tokens without a password, once, within the fifteen minutes" --depends-on 1,2 --tier senior
brew phase add "Verify what was done for the login endpoint" --id 2V
brew phase add "Final review" --id FR
brew doc set phases/1/plan - <<'END'
# Token model

Sign and parse; expiry in seconds.

## Files

- `src/authentication/token_model_with_a_long_name.go`: the model
- `src/authentication/a_file_that_was_planned_and_never_written.go`: the parser
END
brew decision add "Tokens are signed with HMAC and SHA-256, because every service has a secret already" -m "there is no key infrastructure, and nobody wants to run one" --rejected "RSA: needs keys that somebody has to hand out to each of the services"
brew decision add "期限は十五分とする。延長は一回だけ、パスワードなしで行うことができるものとする。"
brew decision supersede DEC-002 --by "A token is good for fifteen minutes" -m "in one language"
brew remark add plan "There is no way back once the sessions of the server are gone, and nobody has said what happens then" --severity major --reviewer ann
brew remark confirm 1 --reviewer bob
brew remark add plan "小さな注意：用語集がありません。用語集がないと、誰も何を言っているのか分かりません。" --severity minor --reviewer ann --file src/authentication/token_model_with_a_long_name.go:128
brew remark resolve 1 -m "the sessions stay for a month"
brew remark confirm plan --reviewer ann
brew remark confirm plan --reviewer bob
brew remark confirm plan --reviewer cid

mkdir -p src/authentication
brew phase start 1
work src/authentication/token_model_with_a_long_name.go "Token model: signs, parses and checks tokens, and refuses those that were changed on their way"
work src/authentication/a_file_that_nobody_had_planned_in_the_first_place.go "One more file"
brew report 1 --agent developer-with-a-rather-long-name - <<'END'
# Report

The model is there. It signs, parses and checks tokens, and it refuses the ones that were changed on their way to us.

## Knowledge

- fact: Token ids are strings everywhere, never numbers, because one of the clients cuts long numbers off
END
brew phase done 1
brew verify 1 || true
brew phase revise 1 --title "Mend the name of the hash, which is written wrongly in two places"
echo HS256 >>src/authentication/token_model_with_a_long_name.go && git commit -q -am "HS256, not HS265"
brew phase done 1.1
brew phase approve 1.1
brew verify 1
brew phase approve 1 --deviation 'src/authentication/a_file_that_nobody_had_planned_in_the_first_place.go=low: it keeps the tests of the parser away from those of the model'
git-brew doc get spec >spec.md
cat >>spec.md <<'END'

## Requirements

- FR-1: A token is signed, and it is refused where the signature does not belong to one of the keys that are known.
- FR-2: A token ends after fifteen minutes; it can be renewed once without a password.
END
brew doc set spec spec.md && rm spec.md
brew next --skip plan -m "one handler, and everybody knows how handlers look here"
brew phase start 2
work src/authentication/login.go "Login endpoint"
brew phase done 2
brew phase reject 2 -m "a wrong password has to cost time, or somebody tries all of them in one night with a list from the net"
brew phase revise 2
work src/authentication/slow.go "A wrong password costs time"
brew phase done
brew learn -t avoid "Never log a token: not in tests, not in traces, not in what an agent is told, and not in an error for people"
brew learn -t practice "認証トークンの仕様：テストは時計に依存してはならない。時計は常に外から渡されるものとする。"
brew learn --project -t fact "The authentication service is deployed on Tuesdays, and nobody may merge on that day before ten o'clock"
brew backlog add "The error page of the login shows a stack trace, which is ugly and tells strangers what we use inside of the house" --src developer-with-a-rather-long-name
brew backlog add "用語集を作る：認証、認可、トークン、セッション、延長、失効、署名、鍵、有効期限、利用者"
brew trigger add "let us build the thing that we have been talking about all the time" --for implementation
session=0a1b2c3d-4e5f-6789-abcd-ef0123456789
say() { printf '{"hook_event_name":"%s","session_id":"%s","cwd":"%s"%s}' "$1" "$session" "$PWD" "$2" | git-brew hook "$1" >/dev/null; }
say SessionStart ',"source":"startup"'
say UserPromptSubmit ',"prompt":"please look at the login endpoint and tell me why a wrong password is answered so fast, and what we can do about it"'
say PreToolUse ',"tool_name":"Bash","tool_input":{"command":"rm -rf src/authentication/token_model_with_a_long_name.go src/authentication/login.go src/authentication/slow.go"}'
say PreToolUse ',"tool_name":"Read","tool_input":{"file_path":"src/authentication/token_model_with_a_long_name.go"}'
say PostToolUse ',"tool_name":"Read","tool_input":{"file_path":"src/authentication/token_model_with_a_long_name.go"},"tool_response":{}'
