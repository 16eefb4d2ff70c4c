# shellcheck shell=bash
# How each server is started; sourced by scripts/servers.sh. Each start_ function
# sets url, or says what is missing and fails.
# shellcheck disable=SC2015,SC2154 # tmp, me, top and server are the script's

start_file() { bare file && url=$tmp/srv/file.git; }

start_daemon() {
    have "$(git --exec-path)/git-daemon" || return
    local port
    port=$(free_port)
    bare daemon
    run daemon "$(git --exec-path)/git-daemon" --reuseaddr --listen=127.0.0.1 --port="$port" --export-all --enable=receive-pack --base-path="$tmp/srv" "$tmp/srv"
    wait_port "$port" && url=git://127.0.0.1:$port/daemon.git
}

# login_server starts sshd for this user, who comes in with the key $tmp/key alone.
login_server() {
    local port
    port=$(free_port)
    [ -e "$tmp/key" ] || ssh-keygen -q -t ed25519 -N '' -C mara -f "$tmp/key"
    [ -e "$tmp/host" ] || ssh-keygen -q -t ed25519 -N '' -f "$tmp/host"
    [ "$me" != root ] || mkdir -p /run/sshd
    printf '%s\n' 'ListenAddress 127.0.0.1' "Port $port" "HostKey $tmp/host" "AuthorizedKeysFile $1" \
        'PidFile none' 'UsePAM no' 'StrictModes no' 'PasswordAuthentication no' 'KbdInteractiveAuthentication no' \
        'PermitRootLogin prohibit-password' "AllowUsers $me" 'MaxStartups 100' >"$tmp/sshd.conf"
    run sshd "$(type -P sshd)" -D -e -f "$tmp/sshd.conf"
    export GIT_SSH_COMMAND="ssh -F none -i $tmp/key -o IdentitiesOnly=yes -o UserKnownHostsFile=/dev/null -o StrictHostKeyChecking=no -o LogLevel=ERROR -o BatchMode=yes"
    wait_port "$port" && url=ssh://$me@127.0.0.1:$port/
}

start_ssh() {
    have sshd ssh-keygen || return
    bare ssh
    login_server "$tmp/key.pub" && url=$url$tmp/srv/ssh.git
}

start_gitolite() {
    have gitolite sshd ssh-keygen || return
    local home=$tmp/gitolite
    mkdir -p "$home"
    [ -e "$tmp/key" ] || ssh-keygen -q -t ed25519 -N '' -C mara -f "$tmp/key"
    cp "$tmp/key.pub" "$home/mara.pub"
    (cd "$home" && HOME=$home gitolite setup -pk mara.pub) >"$tmp/gitolite.log" 2>&1
    # what sshd starts has the home of the account, not this one
    sed "s|command=\"|command=\"env HOME=$home |" "$home/.ssh/authorized_keys" >"$tmp/authorized"
    login_server "$tmp/authorized" && url=${url}testing
}

# password writes the login mara:secret for a web server.
password() { printf 'mara:%s\n' "$(openssl passwd -apr1 secret)" >"$tmp/htpasswd"; }
# served lets the user that a web server runs as write there.
served() {
    bare "$1"
    [ "$me" != root ] || chown -R www-data:www-data "$tmp/srv/$1.git"
}

start_nginx() {
    have nginx /usr/sbin/fcgiwrap spawn-fcgi openssl || return
    local port d=$tmp/nginx as=''
    port=$(free_port)
    mkdir -p "$d"
    served nginx
    password
    [ "$me" != root ] || as='-u www-data -g www-data -U www-data'
    # shellcheck disable=SC2086 # as is several words
    run fcgi env HOME="$d" spawn-fcgi -n -s "$d/sock" $as -F 4 -- /usr/sbin/fcgiwrap -f
    cat >"$d/conf" <<CONF
$([ "$me" != root ] || echo 'user www-data;') daemon off; pid $d/pid; error_log $d/error.log; events {}
http { access_log off; client_max_body_size 0; client_body_temp_path $d/a; proxy_temp_path $d/b; fastcgi_temp_path $d/c; uwsgi_temp_path $d/d; scgi_temp_path $d/e;
 server { listen 127.0.0.1:$port; location / { auth_basic git; auth_basic_user_file $tmp/htpasswd; include fastcgi.conf; include /etc/nginx/fastcgi_params; fastcgi_pass unix:$d/sock;
  fastcgi_param SCRIPT_FILENAME $(git --exec-path)/git-http-backend; fastcgi_param PATH_INFO \$uri; fastcgi_param GIT_PROJECT_ROOT $tmp/srv; fastcgi_param GIT_HTTP_EXPORT_ALL 1;
  fastcgi_param REMOTE_USER \$remote_user; fastcgi_param HTTP_CONTENT_ENCODING \$http_content_encoding; } } }
CONF
    sed -i 's/include fastcgi.conf; //' "$d/conf"
    run nginx nginx -c "$d/conf"
    wait_port "$port" && url=http://mara:secret@127.0.0.1:$port/nginx.git
}

start_lighttpd() {
    have lighttpd openssl || return
    local port d=$tmp/lighttpd
    port=$(free_port)
    mkdir -p "$d"
    served lighttpd
    password
    cat >"$d/conf" <<CONF
server.modules = ("mod_auth", "mod_authn_file", "mod_alias", "mod_cgi", "mod_setenv")
server.document-root = "$d" server.port = $port server.bind = "127.0.0.1" server.errorlog = "$d/error.log" server.upload-dirs = ("$d")
$([ "$me" != root ] || echo 'server.username = "www-data" server.groupname = "www-data"')
alias.url += ("/git" => "$(git --exec-path)/git-http-backend") cgi.assign = ("" => "")
setenv.add-environment = ("GIT_PROJECT_ROOT" => "$tmp/srv", "GIT_HTTP_EXPORT_ALL" => "", "HOME" => "$d")
auth.backend = "htpasswd" auth.backend.htpasswd.userfile = "$tmp/htpasswd"
auth.require = ("/git" => ("method" => "basic", "realm" => "git", "require" => "valid-user"))
CONF
    [ "$me" != root ] || chown www-data "$d"
    run lighttpd lighttpd -D -f "$d/conf"
    wait_port "$port" && url=http://mara:secret@127.0.0.1:$port/git/lighttpd.git
}

start_apache() {
    have apache2 openssl /usr/lib/apache2/modules/mod_cgid.so || return
    local port d=$tmp/apache m
    port=$(free_port)
    mkdir -p "$d"
    served apache
    password
    {
        for m in mpm_event authn_core authn_file authz_core authz_user auth_basic cgid alias env; do
            echo "LoadModule ${m}_module /usr/lib/apache2/modules/mod_$m.so"
        done
        [ "$me" != root ] || printf 'User www-data\nGroup www-data\n'
        cat <<CONF
ServerRoot $d
PidFile $d/pid
ErrorLog $d/error.log
ScriptSock $d/sock
ServerName localhost
Listen 127.0.0.1:$port
SetEnv GIT_PROJECT_ROOT $tmp/srv
SetEnv GIT_HTTP_EXPORT_ALL
SetEnv HOME $d
ScriptAlias /git/ $(git --exec-path)/git-http-backend/
<Location /git/>
AuthType Basic
AuthName git
AuthUserFile $tmp/htpasswd
Require valid-user
</Location>
CONF
    } >"$d/conf"
    run apache apache2 -D FOREGROUND -f "$d/conf"
    wait_port "$port" && url=http://mara:secret@127.0.0.1:$port/git/apache.git
}

start_gitea() {
    have "${GITEA:-gitea}" || return
    local port d=$tmp/gitea bin=${GITEA:-gitea}
    port=$(free_port)
    mkdir -p "$d"
    # it would not run as root by itself; here it is on loopback, for a minute
    cat >"$d/app.ini" <<CONF
RUN_USER = $me
I_AM_BEING_UNSAFE_RUNNING_AS_ROOT = true
WORK_PATH = $d
[server]
HTTP_ADDR = 127.0.0.1
HTTP_PORT = $port
ROOT_URL = http://127.0.0.1:$port/
STATIC_ROOT_PATH = ${GITEA_STATIC:-$d}
DISABLE_SSH = true
OFFLINE_MODE = true
[database]
DB_TYPE = sqlite3
PATH = $d/gitea.db
[repository]
ROOT = $d/repositories
[security]
INSTALL_LOCK = true
SECRET_KEY = trial
[log]
LEVEL = error
ROOT_PATH = $d
CONF
    "$bin" -c "$d/app.ini" migrate >"$d/log" 2>&1 &&
        "$bin" -c "$d/app.ini" admin user create --admin --username mara --password secret-trial --email mara@example.org --must-change-password=false >>"$d/log" 2>&1 ||
        { echo "gitea: skipped, it does not start: $(tail -1 "$d/log")" && return 1; }
    run gitea "$bin" -c "$d/app.ini" web
    wait_port "$port" || return
    curl -fsS -o "$d/made" -u mara:secret-trial -H 'Content-Type: application/json' -d '{"name":"demo"}' "http://127.0.0.1:$port/api/v1/user/repos" || return
    url=http://mara:secret-trial@127.0.0.1:$port/mara/demo.git
}

jgit() {
    have javac /usr/share/java/org.eclipse.jgit.http.server.jar /usr/share/java/jetty9-servlet.jar || return
    local git http j=/usr/share/java jars m d=$tmp/jgit
    git=$(free_port) http=$(free_port)
    jars=$j/org.eclipse.jgit.jar:$j/org.eclipse.jgit.http.server.jar:$j/servlet-api.jar:$j/slf4j-api.jar:$j/slf4j-nop.jar:$j/javaewah.jar
    for m in server servlet util http io security; do jars=$jars:$j/jetty9-$m.jar; done
    mkdir -p "$d"
    cp "$top/scripts/servers/Serve.java" "$d"
    javac -cp "$jars" -d "$d" "$d/Serve.java" || return
    bare "$1"
    run "$1" java -cp "$jars:$d" Serve "$tmp/srv" "$git" "$http"
    wait_port "$git" && wait_port "$http" || return
    if [ "$1" = jgit ]; then url=git://127.0.0.1:$git/jgit.git; else url=http://127.0.0.1:$http/jgit-http.git; fi
}
start_jgit() { jgit jgit; }
start_jgit-http() { jgit jgit-http; }

dulwich() {
    /usr/bin/python3 -c 'import dulwich' 2>/dev/null || { echo "$server: skipped, no python3-dulwich here" && return 1; }
    local port
    port=$(free_port)
    bare "$1"
    run "$1" /usr/bin/python3 "$top/scripts/servers/serve.py" "$2" "$port"
    wait_port "$port" && url=$2://127.0.0.1:$port$tmp/srv/$1.git
}
start_dulwich() { dulwich dulwich git; }
start_dulwich-http() { dulwich dulwich-http http; }
