import java.io.File;
import java.net.InetSocketAddress;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.servlet.ServletContextHandler;
import org.eclipse.jetty.servlet.ServletHolder;
import org.eclipse.jgit.http.server.GitServlet;
import org.eclipse.jgit.transport.Daemon;
import org.eclipse.jgit.transport.DaemonClient;
import org.eclipse.jgit.transport.resolver.FileResolver;

/** Serves a directory with JGit, on loopback, to scripts/servers.sh: Serve DIRECTORY GIT-PORT HTTP-PORT */
public class Serve {
    public static void main(String[] args) throws Exception {
        Daemon daemon = new Daemon(new InetSocketAddress("127.0.0.1", Integer.parseInt(args[1])));
        daemon.setRepositoryResolver(new FileResolver<DaemonClient>(new File(args[0]), true));
        daemon.getService("git-receive-pack").setEnabled(true);
        daemon.start();

        ServletHolder git = new ServletHolder(new GitServlet());
        git.setInitParameter("base-path", args[0]);
        git.setInitParameter("export-all", "true");
        ServletContextHandler context = new ServletContextHandler();
        context.addServlet(git, "/*");
        Server server = new Server(new InetSocketAddress("127.0.0.1", Integer.parseInt(args[2])));
        server.setHandler(context);
        server.start();
    }
}
